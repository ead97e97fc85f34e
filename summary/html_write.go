package summary

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// markup is text of a page that is our own. An untyped constant becomes it by itself and no
// other string does, so that what comes from the tree can't get in unescaped by mistake.
type markup string

// pageWriter writes a page. Its two ways in are markup, and text, which is escaped for
// everywhere that a page has text: between tags, and in an attribute's double quotes. There
// is no third place, such as a style, a script, an attribute without quotes or one that
// leads somewhere.
type pageWriter struct{ page *bufio.Writer }

// raw writes markup as it is.
func (w *pageWriter) raw(m markup) *pageWriter {
	_, _ = w.page.WriteString(string(m)) // flushing gives the error
	return w
}

// text writes any text, escaped: everything in it shows.
func (w *pageWriter) text(s string) *pageWriter {
	_, _ = pageEscapes.WriteString(w.page, pageWords(s))
	return w
}

// number writes a number.
func (w *pageWriter) number(n int) *pageWriter {
	_, _ = w.page.WriteString(strconv.Itoa(n))
	return w
}

// when writes markup where a condition holds.
func (w *pageWriter) when(ok bool, m markup) *pageWriter {
	if ok {
		w.raw(m)
	}
	return w
}

// some writes text between markup, unless it is empty.
func (w *pageWriter) some(before markup, s string, after markup) *pageWriter {
	if s != "" {
		w.raw(before).text(s).raw(after)
	}
	return w
}

// pageEscapes are those of html/template, plus sign and all: pages of earlier bundles come
// out the same again. [visible.Text] has left no NUL.
var pageEscapes = strings.NewReplacer(`"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

// pageWords is any text from the tree for the page: everything in it shows.
func pageWords(s string) string { return verify.Clip(visible.Text(s), maxPageText) }
