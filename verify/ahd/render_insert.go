package ahd

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
)

// frontMatter is what generators of sites keep before a page's text, and title a heading in
// which a page begins, in either form of markdown.
var (
	frontMatter = regexp.MustCompile(`\A---[ \t]*\r?\n(?:.*\n)*?---[ \t]*\r?(?:\n|\z)`)
	title       = regexp.MustCompile(`\A(?:[ \t]*\r?\n)*(?:# .*(?:\n|\z)|[^\s#>\x60~-].*\n=+[ \t]*\r?(?:\n|\z))`)
)

var byteOrderMark = []byte("\ufeff")

// PutBlock returns report with the block and the commands of its sidecar: in place of those
// that it has, as [ReplaceBlock] does, and where it has none at the top, below its title
// ("The block lands in two places alongside every report. The first is a fenced ```yaml
// ahd-replay block at the top of the markdown report", AHD replay, Two surfaces). Every
// other byte stays.
func PutBlock(report, sidecar []byte) ([]byte, error) {
	updated, err := ReplaceBlock(report, sidecar)
	if !errors.Is(err, ErrNoBlock) {
		return updated, err
	}
	block, err := RenderBlock(sidecar)
	if err != nil {
		return nil, err
	}
	commands, err := RenderCommands(sidecar)
	if err != nil {
		return nil, err
	}
	at := top(report)
	before, rest, text := report[:at], report[at:], block+"\n"+commands
	if at > 0 {
		text = "\n" + text
		if before[at-1] != '\n' && !bytes.Equal(before, byteOrderMark) {
			text = "\n" + text // the title was the whole report
		}
	}
	if line, _, _ := bytes.Cut(rest, []byte("\n")); len(bytes.TrimSpace(line)) > 0 {
		text += "\n"
	}
	if first, _, more := bytes.Cut(report, []byte("\n")); more && bytes.HasSuffix(first, []byte("\r")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return bytes.Join([][]byte{before, []byte(text), rest}, nil), nil
}

// top is where a report's text begins, behind its title.
func top(report []byte) (at int) {
	if bytes.HasPrefix(report, byteOrderMark) {
		at = len(byteOrderMark)
	}
	at += len(frontMatter.Find(report[at:]))
	return at + len(title.Find(report[at:]))
}
