package bundle

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// Every bundle that is built passes every rule, and each rule has its row.
func TestCheckOfBuilt(t *testing.T) {
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	res := Check(bytes.NewReader(b.Bytes()), "swiss.tar.gz", DefaultLimits())
	if res.Path != "swiss.tar.gz" || res.Kind != "bundle" || res.SHA256 != b.SHA256() || res.Unchecked != "" {
		t.Errorf("result %+v", res)
	}
	for _, c := range res.Checks {
		if c.Status != verify.OK && c.Status != verify.Info {
			t.Errorf("%+v", c)
		}
		if c.Location.Path != "swiss.tar.gz" {
			t.Errorf("%s is at %q", c.Field, c.Location.Path)
		}
	}
	for _, field := range []string{
		"limits", "gzip", "trailing data", "tar", "entries.path", "entries.type", "entries.unique", "manifest",
		"manifest.schema_version", "manifest.assay_version", "manifest.created_at", "manifest.seeds.order_seed",
		`files["files/assay.yaml"].sha256`, `files["files/assay.yaml"].size`, `files["files/assay.yaml"].mode`, `files["files/assay.yaml"].content_type`,
		`files["files/inputs/tokens/swiss.yml"].sha256`, `files["outputs/report/docs/evals/2026-04-22-swiss.md"].sha256`,
		"manifest.files", "minimum contents", "manifest.config_digest", "manifest.trace_digest",
		"manifest.trace_path", "manifest.outputs.summary", "manifest.outputs.junit", "manifest.outputs.sarif",
		"manifest.replay_gate.evidence", "manifest.replay_coverage",
	} {
		row(t, res.Checks, field)
	}
	if c := row(t, res.Checks, "manifest.config_digest"); c.Observed != configName {
		t.Errorf("config_digest matches %q", c.Observed)
	}
}

// One change to a manifest or to the entries, and the row that must say so
// (Replay Bundle v1, sections 3.1 to 3.3; Assay's verdict phase).
func TestCheckFindings(t *testing.T) {
	x := hashOf("{}")
	listed := `"files/x":{"sha256":"` + x + `","size":2,"mode":420}`
	manifest := func(rest string) string {
		return `{"schema_version":1,"assay_version":"5.4.0","trace_digest":"` + x + `","outputs":{"summary":"outputs/s.json"},` + rest + `}`
	}
	files := func(list string) string { return manifest(`"files":{` + list + `}`) }
	for name, c := range map[string]struct {
		manifest string
		field    string
		status   verify.Status
		code     string
	}{
		"clean":                    {files(listed), `files["files/x"].sha256`, verify.OK, ""},
		"listed and absent":        {files(listed + `,"files/y":{"sha256":"` + x + `","size":2}`), `files["files/y"]`, verify.Fail, "absent"},
		"hash":                     {files(`"files/x":{"sha256":"` + hashOf("") + `","size":2}`), `files["files/x"].sha256`, verify.Fail, "hash-differs"},
		"upper-case hash":          {files(`"files/x":{"sha256":"` + strings.ToUpper(x) + `","size":2}`), `files["files/x"].sha256`, verify.Fail, "malformed-digest"},
		"bare hash":                {files(`"files/x":{"sha256":"` + x[7:] + `","size":2}`), `files["files/x"].sha256`, verify.Warn, "bare-digest"},
		"size":                     {files(`"files/x":{"sha256":"` + x + `","size":3}`), `files["files/x"].size`, verify.Fail, "size-differs"},
		"huge size":                {files(`"files/x":{"sha256":"` + x + `","size":18446744073709551615}`), `files["files/x"].size`, verify.Fail, "size-differs"},
		"size beyond 64 bits":      {files(`"files/x":{"sha256":"` + x + `","size":18446744073709551616}`), `manifest.files["files/x"].size`, verify.Fail, "wrong-type"},
		"size as float":            {files(`"files/x":{"sha256":"` + x + `","size":2.0}`), `manifest.files["files/x"].size`, verify.Fail, "wrong-type"},
		"no size":                  {files(`"files/x":{"sha256":"` + x + `"}`), `manifest.files["files/x"].size`, verify.Fail, "missing"},
		"mode":                     {files(`"files/x":{"sha256":"` + x + `","size":2,"mode":493}`), `files["files/x"].mode`, verify.Warn, "mode-differs"},
		"content type":             {files(`"files/x":{"sha256":"` + x + `","size":2,"content_type":"text/html"}`), `files["files/x"].content_type`, verify.Warn, "content-type-differs"},
		"unlisted":                 {files(`"outputs/s.json":{"sha256":"` + x + `","size":2,"content_type":"application/json"}`), `files["files/x"]`, verify.Warn, "unlisted"},
		"no files":                 {manifest(`"files":{}`), "manifest.files", verify.Warn, "absent"},
		"key not normalized":       {files(`"/files/x":{"sha256":"` + x + `","size":2}`), `files["/files/x"]`, verify.Fail, "absent"},
		"version 2":                {strings.Replace(files(listed), `n":1`, `n":2`, 1), "manifest.schema_version", verify.Fail, "unsupported-version"},
		"version as text":          {strings.Replace(files(listed), `n":1`, `n":"1"`, 1), "manifest.schema_version", verify.Fail, "wrong-type"},
		"version negative":         {strings.Replace(files(listed), `n":1`, `n":-1`, 1), "manifest.schema_version", verify.Fail, "wrong-type"},
		"no version":               {`{"assay_version":"5.4.0"}`, "manifest.schema_version", verify.Fail, "missing"},
		"null version":             {`{"schema_version":null,"assay_version":"5.4.0"}`, "manifest.schema_version", verify.Fail, "missing"},
		"no assay_version":         {`{"schema_version":1}`, "manifest.assay_version", verify.Fail, "missing"},
		"empty assay_version":      {strings.Replace(files(listed), "5.4.0", "", 1), "manifest.assay_version", verify.Fail, "empty"},
		"repeated member":          {manifest(`"git_sha":"a","git_sha":"b"`), "manifest.git_sha", verify.Fail, "duplicate-key"},
		"other case is unknown":    {`{"Schema_version":1,"assay_version":"5.4.0"}`, "manifest.schema_version", verify.Fail, "missing"},
		"wrong type":               {manifest(`"outputs":[]`), "manifest.outputs", verify.Fail, "wrong-type"},
		"git_dirty as text":        {manifest(`"git_dirty":"no"`), "manifest.git_dirty", verify.Fail, "wrong-type"},
		"seed as a number":         {manifest(`"seeds":{"order_seed":42}`), "manifest.seeds.order_seed", verify.Fail, "wrong-type"},
		"seed as words":            {manifest(`"seeds":{"order_seed":"lucky"}`), "manifest.seeds.order_seed", verify.Warn, "not-decimal"},
		"created_at elsewhere":     {manifest(`"created_at":"2026-01-01T00:00:00+02:00"`), "manifest.created_at", verify.Warn, "not-utc-time"},
		"created_at as Assay does": {manifest(`"created_at":"2026-01-01T00:00:00.123456789+00:00"`), "manifest.created_at", verify.OK, ""},
		"trace is another":         {`{"schema_version":1,"assay_version":"x","trace_path":"files/x","trace_digest":"` + hashOf("other") + `","files":{` + listed + `}}`, "manifest.trace_digest", verify.Fail, "digest-differs"},
		"config is another":        {`{"schema_version":1,"assay_version":"x","config_digest":"` + hashOf("other") + `","files":{` + listed + `}}`, "manifest.config_digest", verify.Fail, "digest-differs"},
		"malformed digest":         {manifest(`"config_digest":"sha256:abc"`), "manifest.config_digest", verify.Fail, "malformed-digest"},
		"digest of nothing here":   {manifest(`"policy_digest":"` + hashOf("elsewhere") + `"`), "manifest.policy_digest", verify.Warn, "not-in-bundle"},
		"trace_path outside":       {manifest(`"trace_path":"../trace.jsonl"`), "manifest.trace_path", verify.Fail, "bad-path"},
		"trace_path absolute":      {manifest(`"trace_path":"/files/x"`), "manifest.trace_path", verify.Fail, "bad-path"},
		"trace_path absent":        {manifest(`"trace_path":"files/none"`), "manifest.trace_path", verify.Fail, "absent"},
		"spec's example path":      {manifest(`"trace_path":"traces/run.jsonl"`), "manifest.trace_path", verify.Fail, "bad-path"},
		"output absent":            {`{"schema_version":1,"assay_version":"1","outputs":{"junit":"outputs/j.xml"}}`, "manifest.outputs.junit", verify.Fail, "absent"},
		"output elsewhere":         {`{"schema_version":1,"assay_version":"1","outputs":{"sarif":"files/x"}}`, "manifest.outputs.sarif", verify.Warn, "unusual-place"},
		"nothing to replay":        {minimal, "minimum contents", verify.Fail, "nothing-to-replay"},
		"no summary":               {adequate, "minimum contents", verify.Warn, "no-summary"},
		"coverage without a list":  {manifest(`"replay_coverage":{"complete_tests":[]}`), "manifest.replay_coverage.incomplete_tests", verify.Fail, "missing"},
		"coverage of numbers":      {manifest(`"replay_coverage":{"complete_tests":[1],"incomplete_tests":[]}`), "manifest.replay_coverage.complete_tests", verify.Fail, "wrong-type"},
		"contradicting coverage":   {manifest(`"replay_coverage":{"complete_tests":["a"],"incomplete_tests":["a"]}`), "manifest.replay_coverage", verify.Fail, "contradiction"},
		"unexplained coverage":     {manifest(`"replay_coverage":{"complete_tests":[],"incomplete_tests":["a"]}`), "manifest.replay_coverage", verify.Warn, "no-reason"},
		"stray reason":             {manifest(`"replay_coverage":{"complete_tests":["a"],"incomplete_tests":[],"reason":{"b":"c"}}`), "manifest.replay_coverage", verify.Warn, "stray-reason"},
		"path of no entry":         {manifest(`"paths":{"files/inputs/none":"a"}`), `manifest.paths["files/inputs/none"]`, verify.Warn, "absent"},
		"path outside":             {manifest(`"paths":{"files/inputs/in":"../a"}`), `manifest.paths["files/inputs/in"]`, verify.Fail, "bad-path"},
		"escaped path outside":     {manifest(`"paths":{"files/inputs/in":"%2E%2E/a"}`), "repository paths", verify.Fail, "misplaced"},
		"path of the evidence":     {manifest(`"paths":{"files/inputs/in":"e"}`), "repository paths", verify.Fail, "misplaced"},
		"bare digest":              {manifest(`"policy_digest":"` + x[7:] + `"`), "manifest.policy_digest", verify.Warn, "bare-digest"},
		"evidence":                 {manifest(`"replay_gate":{"evidence":"e","kind":"ahd"}`), "manifest.replay_gate.evidence", verify.OK, ""},
		"other evidence":           {manifest(`"replay_gate":{"evidence":"e","kind":"ahd","evidence_digest":"` + x + `"}`), "manifest.replay_gate.evidence_digest", verify.Fail, "digest-differs"},
		"another input":            {manifest(`"replay_gate":{"evidence":"e","kind":"ahd","inputs":{"in":"` + x + `"}}`), `manifest.replay_gate.inputs["in"]`, verify.Fail, "digest-differs"},
		"evidence left out":        {manifest(`"replay_gate":{"evidence":"none","kind":"ahd"},"replay_coverage":{"complete_tests":[],"incomplete_tests":["a"],"reason":{"a":"b"}}`), "manifest.replay_gate.evidence", verify.Warn, "left-out"},
		"evidence gone":            {manifest(`"replay_gate":{"evidence":"none","kind":"ahd"},"replay_coverage":{"complete_tests":["b"],"incomplete_tests":["a"],"reason":{"a":"b"}}`), "manifest.replay_gate.evidence", verify.Fail, "absent"},
		"no such evidence":         {manifest(`"replay_gate":{"evidence":"none","kind":"ahd"}`), "manifest.replay_gate.evidence", verify.Fail, "absent"},
	} {
		entries := []raw{
			file("manifest.json", c.manifest), file("files/x", "{}"), file("outputs/s.json", "{}"),
			file("files/inputs/in", "in"), file("files/evidence/e", "e"),
		}
		if name == "config is another" {
			entries = append(entries, file("files/assay.yaml", "version: 1"))
		}
		res := Check(bytes.NewReader(archiveOf(t, entries...)), "b", DefaultLimits())
		found := false
		for i, c := range res.Checks {
			if slices.ContainsFunc(res.Checks[:i], func(o verify.Check) bool { return o.Field == c.Field && o.Code == c.Code }) {
				t.Errorf("%s: %s %s twice", name, c.Field, c.Code)
			}
		}
		for _, got := range res.Checks {
			found = found || got.Field == c.field && got.Status == c.status && got.Code == c.code
		}
		if !found {
			t.Errorf("%s: no %s %s %q in\n%s", name, c.field, c.status, c.code, show(res.Checks))
		}
		// What Check calls a FAIL, Read refuses or lists.
		a, err := Read(bytes.NewReader(archiveOf(t, entries...)), DefaultLimits())
		if err != nil {
			continue
		}
		listed := show(a.Findings)
		if bad := c.status == verify.Fail || c.status == verify.Warn; bad != strings.Contains(listed, c.field+" "+string(c.status)) {
			t.Errorf("%s: Read finds\n%s", name, listed)
		}
		a.Close()
	}
}

func show(checks []verify.Check) string {
	var b strings.Builder
	for _, c := range checks {
		fmt.Fprintln(&b, c.Field, c.Status, c.Code, c.Reason)
	}
	return b.String()
}

// Replay Bundle v1, section 6: unknown manifest fields are ignored.
func TestCheckUnknownFields(t *testing.T) {
	data := archiveOf(t, file("manifest.json", adequate[:len(adequate)-1]+`,"future":[1],"Files":{}}`), file("files/x", "{}"))
	res := Check(bytes.NewReader(data), "b", DefaultLimits())
	for _, c := range res.Checks {
		if c.Code == "unknown-fields" {
			if c.Status != verify.Info || c.Recorded != `"future", "Files"` {
				t.Errorf("%+v", c)
			}
			return
		}
	}
	t.Error("unknown fields are not said")
}

// Every structural problem is collected, not only the first, and their number
// is bounded.
func TestCheckCollects(t *testing.T) {
	entries := []raw{file("manifest.json", adequate), file("files/x", "{}"), file("files/x", "{}"), file("../y", "")}
	for i := range 50 {
		entries = append(entries, file(fmt.Sprintf("bad/%d", i), ""))
	}
	res := Check(bytes.NewReader(append(archiveOf(t, entries...), "junk"...)), "b", DefaultLimits())
	paths := 0
	for _, c := range res.Checks {
		if c.Field == "entries.path" && c.Status == verify.Fail {
			paths++
		}
	}
	if paths != maxNamed+1 {
		t.Errorf("%d rows for bad paths", paths)
	}
	for _, field := range []string{"entries.unique", "trailing data"} {
		if c := row(t, res.Checks, field); c.Status != verify.Fail {
			t.Errorf("%+v", c)
		}
	}
	if c := row(t, res.Checks, "entries.path"); !strings.HasPrefix(c.Reason, `"../y" `) {
		t.Errorf("reason %q", c.Reason)
	}
}

// What can't be read to its end is unchecked, and of no rule that was not got to is it said
// that it holds.
func TestCheckOfHalf(t *testing.T) {
	t.Parallel()
	gone := errors.New("the disk is gone")
	res := Check(failing{gone}, "b", DefaultLimits())
	if res.Unchecked == "" || len(res.Checks) != 1 || res.Checks[0].Status != verify.Fail || res.Checks[0].Code != "unreadable" {
		t.Errorf("%+v", res)
	}
	var stored bytes.Buffer
	w, err := gzip.NewWriterLevel(&stored, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = w.Write(tarOf(t, file("manifest.json", adequate), file("files/x", strings.Repeat("x", 100_000)))); err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	res = Check(bytes.NewReader(stored.Bytes()[:stored.Len()/2]), "b", DefaultLimits())
	if !strings.HasPrefix(res.Unchecked, "not a readable archive: ") || row(t, res.Checks, "manifest").Status != verify.OK {
		t.Errorf("%q\n%s", res.Unchecked, show(res.Checks))
	}
	for _, c := range res.Checks {
		if c.Status == verify.OK && slices.Contains([]string{ruleGzip, ruleTrailing, ruleTar, rulePaths, ruleTypes, ruleUnique}, c.Field) {
			t.Errorf("%s holds", c.Field)
		}
	}
	if res = Check(strings.NewReader("no archive"), "b", DefaultLimits()); !strings.HasPrefix(res.Unchecked, "not a readable archive: ") {
		t.Errorf("%q", res.Unchecked)
	}
}

// Rows about single files are bounded; among those that are not shown, a FAIL is not lost.
func TestCheckIsBounded(t *testing.T) {
	t.Parallel()
	list := func(n int, name, sum string, size int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"%s%04d":{"sha256":"%s","size":%d,"mode":420}`, name, i, sum, size))
		}
		return strings.Join(all, ",")
	}
	entries := func(files string) []raw {
		return []raw{file("manifest.json", adequate[:len(adequate)-1]+`,"files":{`+files+`}}`)}
	}
	good := entries(list(700, "files/f", hashOf("x"), 1))
	for i := range 700 {
		good = append(good, file(fmt.Sprintf("files/f%04d", i), "x"))
	}
	for _, tc := range []struct {
		name    string
		entries []raw
		status  verify.Status
		reason  string
	}{
		{"that hold", good, verify.Info, "and 100 more checks of single files, of which 0 fail"},
		{"that fail", entries(list(4100, "files/f", hashOf("x"), 1)), verify.Fail, "and 100 more checks of single files, of which 100 fail"},
	} {
		res := Check(bytes.NewReader(archiveOf(t, tc.entries...)), "b", DefaultLimits())
		var more verify.Check
		for _, c := range res.Checks {
			if c.Field == "manifest.files" && c.Code == "more" {
				more = c
			}
		}
		if more.Status != tc.status || more.Reason != tc.reason {
			t.Errorf("%s: %+v", tc.name, more)
		}
	}
	var wrong []raw
	for i := range maxNamed + 3 {
		wrong = append(wrong, file(fmt.Sprintf("files/inputs/%02d", i), "1"), file(fmt.Sprintf("files/inputs/%02d/x", i), "2"))
	}
	res := Check(bytes.NewReader(archiveOf(t, append(wrong, file("manifest.json", adequate))...)), "b", DefaultLimits())
	n := 0
	for _, c := range res.Checks {
		if c.Field == "repository paths" {
			if n++; c.Status != verify.Fail || n > maxNamed && c.Reason != "and 3 more" {
				t.Errorf("%+v", c)
			}
		}
	}
	if n != maxNamed+1 {
		t.Errorf("%d rows", n)
	}
	const key = "Authorization: Bearer abcdefghijklmnop0123456789\n"
	for folder, tc := range map[string]struct {
		n, fail int
		last    verify.Status
	}{"files": {2*maxNamed + 2, 2*maxNamed + 1, verify.Fail}, "outputs": {maxNamed + 2, 0, verify.Warn}} {
		found := []raw{file("manifest.json", adequate)}
		for i := range tc.n {
			found = append(found, file(fmt.Sprintf("%s/%02d", folder, i), key))
		}
		var rows []verify.Check
		fail := 0
		for _, c := range Check(bytes.NewReader(archiveOf(t, found...)), "b", DefaultLimits()).Checks {
			if c.Field == FieldSecrets {
				if rows = append(rows, c); c.Status == verify.Fail {
					fail++
				}
			}
		}
		if last := rows[len(rows)-1]; fail != tc.fail || last.Status != tc.last || last.Reason != "and 2 more files" {
			t.Errorf("%s: %d fail, %+v", folder, fail, last)
		}
	}
}

// The JSON that whoever made a bundle wrote is read by all alike; inputs are their kinds'.
func TestCheckTexts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, status, code string }{
		{"outputs/a.json", "{}", "", ""},
		{"outputs/a.json", "{", "FAIL", "not-json"},
		{"outputs/a.json", `{"a":1,"a":2}`, "FAIL", "duplicate-key"},
		{"outputs/a.json", strings.Repeat("[", 65) + strings.Repeat("]", 65), "warn", "not-looked-at"},
		{"outputs/a.json", strings.Repeat(" ", maxSummary+1), "warn", "not-looked-at"},
		{"outputs/a.txt", "{", "", ""},
		{"outputs/report/a.json", "{", "", ""},
		{"files/inputs/a.json", "{", "", ""},
		{traceName, "{}\n\n{}\n", "", ""},
		{traceName, "{}\n{\n", "FAIL", "not-json"},
		{"files/other.jsonl", "{}\n{\n", "", ""},
	} {
		res := Check(bytes.NewReader(archiveOf(t, file("manifest.json", adequate), file(tc.name, tc.text))), "b", DefaultLimits())
		var got verify.Check
		held := false
		for _, c := range res.Checks {
			if c.Field == fileField(tc.name)+".json" {
				got = c
			}
			held = held || c.Field == "json" && c.Status == verify.OK && c.Observed == "1 files"
		}
		if string(got.Status) != tc.status || got.Code != tc.code || held != (tc.code == "" && ownText(tc.name)) {
			t.Errorf("%s %.20q: %+v, %t", tc.name, tc.text, got, held)
		}
	}
}

// A bundle that is committed is evidence: its checks are those of the file.
func TestFormat(t *testing.T) {
	t.Parallel()
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	tree := verify.NewTree(fstest.MapFS{".assay/bundles/x.tar.gz": {Data: b.Bytes()}, "b/x.tar.gz": {Data: b.Bytes()[:100]}})
	for path, want := range map[string]int{".assay/bundles/x.tar.gz": 0, "b/x.tar.gz": 1, "gone.tar.gz": 1} {
		r := Format{}.Verify(t.Context(), &verify.Evidence{Path: path, Tree: tree})
		if min(r.Count(verify.Fail), 1) != want || (r.Unchecked != "") != (want == 1) {
			t.Errorf("%s: %q, %s", path, r.Unchecked, show(r.Checks))
		}
		if want == 0 && (r.SHA256 != b.SHA256() || r.Recording.Name != "x" || len(r.Checks) < 20) {
			t.Errorf("%+v", r)
		}
	}
}
