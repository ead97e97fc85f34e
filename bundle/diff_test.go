package bundle

import (
	"slices"
	"testing"
	"testing/fstest"
)

// Issue "Looking into bundles": manifest fields, members added, removed, changed,
// and the checks that differ.
func TestCompare(t *testing.T) {
	before, _ := pinned(t, false, nil)
	after, _ := pinned(t, false, func(f fstest.MapFS) { f["in/two"].Data = []byte("three") })
	c, err := Compare(mustRead(t, before.Bytes()), mustRead(t, after.Bytes()), testRecords)
	if err != nil {
		t.Fatal(err)
	}
	members := []MemberChange{
		{configName, "changed", before.Manifest.Files[configName].SHA256, after.Manifest.Files[configName].SHA256},
		{"files/inputs/in/two", "changed", digest([]byte("two")), digest([]byte("three"))},
		{summaryName, "changed", before.Manifest.Files[summaryName].SHA256, after.Manifest.Files[summaryName].SHA256},
		{traceName, "changed", before.Manifest.Files[traceName].SHA256, after.Manifest.Files[traceName].SHA256},
	}
	slices.SortFunc(members, func(a, b MemberChange) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	// The suite's assertions are the recorded values, which are the same.
	members = slices.DeleteFunc(members, func(m MemberChange) bool { return m.Before == m.After })
	if !slices.Equal(c.Members, members) {
		t.Errorf("members %+v\nwant %+v", c.Members, members)
	}
	checks := []Difference{
		{"", "verdict", "intact", "drift"},
		{"in/two", "status", "ok", "FAIL"},
		{"in/two", "code", "", "hash-differs"},
		{"in/two", "observed", digest([]byte("two")), digest([]byte("three"))},
	}
	if !slices.Equal(c.Checks, checks) || c.Note != "" {
		t.Errorf("checks %+v, note %q", c.Checks, c.Note)
	}
	if len(c.Manifest) != 0 || c.Same() {
		t.Errorf("manifest %+v", c.Manifest)
	}
	same, err := Compare(mustRead(t, before.Bytes()), mustRead(t, before.Bytes()), testRecords)
	if err != nil || !same.Same() {
		t.Errorf("%+v, %v", same, err)
	}
	other := mustRead(t, archiveOf(t, file(manifestName, `{"schema_version":1,"assay_version":"1","trace_path":"files/t","env":{}}`), file("files/t", "x")))
	c, err = Compare(mustRead(t, before.Bytes()), other, testRecords)
	if err != nil || c.Note == "" || !slices.Contains(c.Manifest, ValueChange{"assay_version", `"` + NoAssay + `"`, `"1"`}) || !slices.Contains(c.Manifest, ValueChange{"trace_path", `"files/trace.jsonl"`, `"files/t"`}) {
		t.Errorf("%+v, %v", c, err)
	}
	if i := slices.IndexFunc(c.Members, func(m MemberChange) bool { return m.Name == "files/t" }); i < 0 || c.Members[i].Op != "added" || c.Members[i].Before != "" {
		t.Errorf("members %+v", c.Members)
	}
}
