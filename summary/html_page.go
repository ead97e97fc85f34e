package summary

// write writes the page.
func (p *htmlPage) write(w *pageWriter) {
	w.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n").raw(pagePolicy).raw(`
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>`).text(p.Title).raw("</title>\n<style>").raw(markup(pageStyle)).raw("</style>\n</head>\n<body>\n")
	p.writeHeader(w)
	w.raw("<main").when(p.Many, " data-filter").raw(">")
	for i := range p.Groups {
		p.Groups[i].write(w)
	}
	if p.Timeline != "" {
		w.raw("\n<section class=\"scroll\" role=\"region\" aria-label=\"Inputs over time\" tabindex=\"0\">\n").raw(p.Timeline).raw("</section>")
	}
	for _, note := range p.Notes {
		w.raw("\n<p class=\"note muted\">").text(note).raw("</p>")
	}
	// The empty lines at the end are what earlier versions wrote: the same bytes come out.
	w.raw("\n</main>\n<p id=\"live\" class=\"hidden\" role=\"status\"></p>\n<script>").raw(markup(pageScript)).raw("</script>\n</body>\n</html>\n\n\n\n\n")
}

func (p *htmlPage) writeHeader(w *pageWriter) {
	w.raw("<header>\n<p class=\"brand\">").text(p.Tool.Name).some(" ", p.Tool.Version, "").raw(" · report</p>\n<h1>")
	for _, v := range p.Verdicts {
		w.raw(`<span class="verdict `).text(v.Class).raw(`">`).text(v.Word).raw("</span>").some(` <span class="of">`, v.Of, "</span>").raw(" ")
	}
	w.raw("</h1>").some("\n<p class=\"sentence\">", p.Sentence, "</p>")
	w.raw("\n<p class=\"words\">").text(p.Words).raw("</p>\n</header>\n")
}

func (g *htmlGroup) write(w *pageWriter) {
	if g.Title != "" {
		w.raw("\n<section class=\"group\" aria-labelledby=\"").text(g.ID).raw("\">\n<h2 id=\"").text(g.ID).raw(`">`).text(g.Title).raw("</h2>")
		if g.Cause != nil {
			g.Cause().write(w)
		}
	}
	for _, p := range g.Evidence {
		newHTMLEvidence(p).write(w)
	}
	w.when(g.Title != "", "\n</section>")
}

func (c *htmlCause) write(w *pageWriter) {
	w.some("\n<p>", c.By, "</p>")
	writeLines(w, c.Lines)
	if len(c.Claims) > 0 {
		w.raw("\n<ul>")
		for _, a := range c.Claims {
			w.raw("\n<li><a href=\"#").text(a.ID).raw("\"><code>").text(a.Report).raw("</code></a>").some(" · ", a.Names, "").raw("</li>")
		}
		w.raw("\n</ul>")
	}
	for _, note := range c.Notes {
		w.raw("\n<p class=\"muted\">").text(note).raw("</p>")
	}
	for _, way := range c.Ways {
		w.raw("\n<h3>").text(way.Label).raw("</h3>")
		writeSteps(w, way.Steps)
	}
}

// writeLines writes a difference by lines, if there is one.
func writeLines(w *pageWriter, lines []htmlLine) {
	if len(lines) == 0 {
		return
	}
	w.raw("\n<pre tabindex=\"0\">")
	for _, l := range lines {
		w.raw(`<span class="`).text(l.Class).raw(`">`).text(l.Text).raw("</span>\n")
	}
	w.raw("</pre>")
}

// writeSteps writes what to do, each with its commands to copy.
func writeSteps(w *pageWriter, steps []htmlStep) {
	for _, s := range steps {
		w.raw("\n<p>").text(s.Intro)
		if len(s.Lines) == 0 {
			w.raw(".</p>")
			continue
		}
		w.raw(":</p>\n<pre class=\"value\" tabindex=\"0\">")
		for i, line := range s.Lines {
			w.when(i > 0, "\n").text(line)
		}
		w.raw("</pre>")
	}
}
