package verifytest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

var (
	kindName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	codeWord = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
)

// checkFormat tests what the kind says of itself.
func checkFormat(t *testing.T, f verify.Format) {
	if !kindName.MatchString(f.Kind()) {
		t.Errorf("Kind %q is no lower-case name", f.Kind())
	}
	if f.Title() == "" || len(f.Patterns()) == 0 {
		t.Errorf("Title %q, Patterns %q", f.Title(), f.Patterns())
	}
	if c, ok := f.(verify.Configurable); ok {
		key, schema := c.Settings()
		if key == "" || !json.Valid([]byte(schema)) {
			t.Errorf("Settings %q, %s", key, schema)
		}
		if _, err := c.Configure(func(any) error { return nil }); err != nil {
			t.Errorf("Configure, with no setting made: %v", err)
		}
		bad := fmt.Errorf("wrong")
		if _, err := c.Configure(func(any) error { return bad }); err == nil {
			t.Error("Configure swallows what is wrong with the settings")
		}
	}
}

// checkWhole tests the verdict on evidence that holds.
func (s *subject) checkWhole(t *testing.T, r verify.Result) {
	if !s.format.Marks(s.path, s.data()) {
		t.Error("Marks does not know it")
	}
	if r.Count(verify.OK) == 0 {
		t.Error("nothing in it is ok")
	}
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256(s.data())); r.SHA256 != want {
		t.Errorf("SHA256 %q, want %s", r.SHA256, want)
	}
	checkForm(t, "", r)
	own := func(read verify.Read) bool { return read.Op == verify.OpFile && read.Name == s.path }
	if !r.Reads.Any(nil, own) {
		t.Error("its own bytes were not read through the tree")
	}
}

// checkForm tests what holds for every result. what says of which, in front of an error.
func checkForm(t *testing.T, what string, r verify.Result) {
	t.Helper()
	if len(r.Checks) == 0 {
		t.Errorf("%sno checks", what)
	}
	const most = 5000
	if len(r.Checks) > most || len(r.Inputs) > most {
		t.Errorf("%s%d checks, %d inputs: what evidence makes of its size is bounded", what, len(r.Checks), len(r.Inputs))
	}
	for _, c := range r.Checks {
		switch {
		case c.Field == "" || c.Location.Path == "":
			t.Errorf("%s%+v names no field or place", what, c)
		case c.Status == verify.OK:
		case c.Status != verify.Fail && c.Status != verify.Warn && c.Status != verify.Info:
			t.Errorf("%s%+v has no status", what, c)
		case c.Reason == "" || !codeWord.MatchString(c.Code):
			t.Errorf("%s%+v says no reason", what, c)
		}
		if c.Code == "internal-error" || c.Code == "no-end" {
			t.Errorf("%s%s", what, c.Reason)
		}
		for _, text := range []string{c.Field, c.Reason, c.Recorded, c.Observed, c.Hint} {
			if len(text) > verify.MaxValue+512 { // the reason may say that strict fails on it
				t.Errorf("%s%s: %d bytes in a row", what, c.Field, len(text))
			}
		}
	}
	checkLinks(t, what, r)
}

// checkLinks tests the inputs: each once, at a path of the tree, and each hash held by a
// row that there is.
func checkLinks(t *testing.T, what string, r verify.Result) {
	t.Helper()
	seen := make(map[verify.Input]bool)
	for _, in := range r.Inputs {
		if seen[in] {
			t.Errorf("%sinput %+v is listed twice", what, in)
		}
		seen[in] = true
		switch {
		case in.Role == "" || in.Place == "":
			t.Errorf("%sinput %+v has no role or place", what, in)
		case in.Path != "" && !fs.ValidPath(in.Path), in.Path == "" && !in.Missing:
			t.Errorf("%sinput %+v has no path of the tree", what, in)
		case in.Path == r.Path:
			t.Errorf("%sthe evidence is its own input", what)
		case in.Field == "" && in.Hashes != "":
			t.Errorf("%sinput %+v: no field holds its hash", what, in)
		}
		if in.Field != "" && !slices.ContainsFunc(r.Checks, func(c verify.Check) bool { return c.Field == in.Field }) {
			t.Errorf("%sinput %+v: no row of that field", what, in)
		}
	}
	for _, c := range r.Claims {
		if c.About == "" || c.Name == "" || !slices.IsSorted(c.Conditions) || c.Samples < 0 {
			t.Errorf("%sclaim %+v", what, c)
		}
	}
}

// record is what the kind records of the evidence in fsys.
func (s *subject) record(fsys fstest.MapFS) (rec verify.Record, ok bool) {
	r, ok := s.format.(verify.Recorder)
	if !ok {
		return verify.Record{}, false
	}
	return r.Record(&verify.Evidence{Path: s.path, Tree: verify.NewTree(fsys), NoHints: true}), true
}

// checkRecord tests what is compared with other versions of the evidence.
func (s *subject) checkRecord(t *testing.T) {
	rec, ok := s.record(s.files)
	if !ok {
		t.Skip("the kind records no runs")
	}
	again, _ := s.record(s.files)
	if !reflect.DeepEqual(rec, again) {
		t.Errorf("two records of one run: %+v, %+v", rec, again)
	}
	if !slices.IsSorted(rec.Traces) || len(slices.Compact(slices.Clone(rec.Traces))) != len(rec.Traces) {
		t.Errorf("traces are not sorted, each once: %q", rec.Traces)
	}
	for i, v := range rec.Values {
		if v.Path == "" || i > 0 && v.Path <= rec.Values[i-1].Path {
			t.Errorf("value %d: %q is not behind the one before", i, v.Path)
		}
		if len(v.Shown) > verify.MaxValue {
			t.Errorf("%s shows %d bytes", v.Path, len(v.Shown))
		}
	}
	gone := s.with(s.path, nil)
	delete(gone, s.path)
	for what, files := range map[string]fstest.MapFS{"gone": gone, "empty": s.with(s.path, nil)} {
		if rec, _ := s.record(files); rec.Identity != "" || len(rec.Values) != 0 {
			t.Errorf("evidence that is %s records %+v", what, rec)
		}
	}
}
