package summary

func (e *htmlEvidence) write(w *pageWriter) {
	w.raw("\n<details class=\"evidence\" id=\"").text(e.ID).raw(`" data-status="`).text(e.Status).raw(`"`).when(e.Open, " open").raw(">\n")
	w.raw(`<summary><h2><span class="verdict small `).text(string(e.Verdict)).raw(`">`).text(string(e.Verdict)).raw("</span> <code>").text(e.Path)
	w.raw(`</code></h2> <span class="muted">`).text(e.Title).raw(" · ").text(e.Words).raw("</span></summary>")
	w.some("\n<p class=\"callout\"><strong>Could not be checked:</strong> ", e.Unchecked, "</p>")
	w.when(e.Removed, "\n<p class=\"callout\"><strong>Removed</strong> by this change</p>")
	w.some("\n<p class=\"callout\"><strong>", e.Omitted, "</strong></p>")
	for i := range e.Tables {
		t := &e.Tables[i]
		w.raw("\n<details class=\"fields\"").when(t.Open, " open").raw(">\n<summary><h3>Fields: ").text(t.Caption).raw("</h3></summary>\n")
		t.write(w)
		w.raw("\n</details>")
	}
	e.writeInputs(w)
	if len(e.Facts) > 0 {
		w.raw("\n<details class=\"facts\" open>\n<summary><h3>Recording</h3></summary>\n")
		writeFacts(w, e.Facts)
		w.raw("\n</details>")
	}
	w.raw("\n<details class=\"steps\" open>\n<summary><h3>Reproduce</h3></summary>")
	writeSteps(w, e.Steps)
	w.raw("\n</details>\n</details>")
}

func (e *htmlEvidence) writeInputs(w *pageWriter) {
	if len(e.Inputs) == 0 {
		return
	}
	w.raw(`
<details class="inputs" open>
<summary><h3>Inputs</h3></summary>
<div class="scroll" role="region" aria-label="Inputs" tabindex="0">
<table data-sort>
<thead><tr><th scope="col" class="c-role">role</th><th scope="col">file</th><th scope="col">recorded path</th><th scope="col">recorded hash</th></tr></thead>`)
	for i := range e.Inputs {
		in := &e.Inputs[i]
		w.raw("\n<tbody><tr><td>").text(in.Role).raw("</td><td>").when(in.Missing, "<strong>missing</strong> ")
		writeValue(w, in.Path)
		w.raw("</td><td>")
		writeValue(w, in.Recorded)
		w.raw("</td><td>")
		writeValue(w, in.Hash)
		w.raw("</td></tr></tbody>")
	}
	w.raw("\n</table>\n</div>\n</details>")
}

func (t *htmlTable) write(w *pageWriter) {
	w.raw(`<div class="scroll" role="region" aria-label="Fields: `).text(t.Caption).raw(`" tabindex="0">
<table data-sort>
<thead><tr><th scope="col" class="c-number">#</th><th scope="col" class="c-status">status</th><th scope="col" class="c-field">field</th>`)
	w.raw(`<th scope="col">recorded</th><th scope="col">now</th>`).when(t.Wide, `<th scope="col" class="c-who">attribution</th>`).raw("</tr></thead>")
	for i := range t.Rows {
		t.Rows[i].write(w, t.Wide)
	}
	w.raw("\n</table>\n</div>")
}

func (r *htmlRow) write(w *pageWriter, wide bool) {
	w.raw("\n<tbody>\n<tr>\n<td class=\"number\">").number(r.Number).raw("</td>\n<td data-key=\"").number(r.Rank).raw(`"><span class="status `)
	w.text(string(r.Status)).raw(`">`).text(string(r.Status)).raw("</span></td>\n<td data-key=\"").text(r.Check.Field).raw(`"><code>`).text(r.Check.Field)
	w.raw("</code>").some(`<br><span class="muted">`, r.Place, "</span>").raw("</td>\n<td>")
	writeValue(w, r.Recorded)
	w.raw("</td>\n<td>")
	if r.Observed != "" || r.Reason == "" {
		writeValue(w, r.Observed)
	}
	w.some("<p>", r.Reason, "</p>")
	if r.NextStep != "" {
		w.raw("<p><strong>next:</strong> ").text(r.NextStep).raw("</p>")
	} else {
		w.some("<p><strong>hint:</strong> ", r.Hint, "</p>")
	}
	w.raw("</td>")
	if wide {
		w.raw("\n<td>").text(r.Who).raw("</td>")
	}
	w.raw("\n</tr>")
	if r.Why != nil {
		columns := 3
		if wide {
			columns++
		}
		w.raw("\n<tr class=\"why\">\n<td colspan=\"2\"></td>\n<td colspan=\"").number(columns).raw(`">`)
		r.Why.write(w)
		w.raw("</td>\n</tr>")
	}
	w.raw("\n</tbody>")
}

func (h *htmlWhy) write(w *pageWriter) {
	w.raw("<details").when(h.Open, " open").raw(">\n<summary>").text(h.Summary).raw("</summary>\n")
	writeFacts(w, h.Facts)
	if len(h.Edits) > 0 {
		w.raw(`
<table>
<thead><tr><th scope="col">path</th><th scope="col" class="c-what">what</th><th scope="col">recorded</th><th scope="col">now</th></tr></thead>
<tbody>`)
		for _, d := range h.Edits {
			w.raw("\n<tr><td><code>").text(d.Path).raw("</code></td><td>").text(d.Op).raw("</td><td>")
			writeValue(w, d.Before)
			w.raw("</td><td>")
			writeValue(w, d.After)
			w.raw("</td></tr>")
		}
		w.raw("\n</tbody>\n</table>")
	}
	w.some("<p>", h.More, "</p>")
	writeLines(w, h.Unified)
	w.raw("\n</details>")
}

// writeValue writes a recorded or observed value.
func writeValue(w *pageWriter, s string) {
	if s == "" {
		w.raw(`<span class="muted">–</span>`)
		return
	}
	w.raw(`<code class="value">`).text(s).raw("</code>")
}

func writeFacts(w *pageWriter, facts []htmlFact) {
	w.raw("<dl>")
	for _, f := range facts {
		w.raw("\n<div><dt>").text(f.Label).raw("</dt><dd>").text(f.Value).raw("</dd></div>")
	}
	w.raw("\n</dl>")
}
