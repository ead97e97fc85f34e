package verify

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// What several judgements share is written down once, and comes back as it was.
func TestReadsTable(t *testing.T) {
	t.Parallel()
	shared := &Reads{own: []Read{{OpFile, "shared", Found, ""}, {OpUnder, "d", Lost, "is gone"}}}
	one := &Reads{own: []Read{{OpFile, "one", Absent, ""}}, parts: []*Reads{shared}}
	two := &Reads{own: []Read{{OpNamed, "two", Unusable, "is a folder"}}, parts: []*Reads{shared, one}}
	var table ReadsTable
	var rows []int
	for _, r := range []*Reads{two, one, nil, shared, two} {
		rows = append(rows, table.Add(r))
	}
	if !slices.Equal(rows, []int{3, 2, 0, 1, 3}) || len(table.Rows) != 3 {
		t.Fatalf("rows %v of %d", rows, len(table.Rows))
	}
	back, err := (&ReadsTable{Rows: table.Rows}).Records()
	if err != nil || len(back) != 4 || back[0] != nil {
		t.Fatalf("%v, %v", back, err)
	}
	for i, want := range []*Reads{shared, one, two} {
		if got := back[i+1].All(); !reflect.DeepEqual(got, want.All()) {
			t.Errorf("row %d: %v, want %v", i+1, got, want.All())
		}
	}
	if back[3].parts[0] != back[1] {
		t.Error("what was shared comes back twice")
	}
}

// A table that somebody else wrote holds no circle, and no word that there is not.
func TestReadsTableOfOthers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		row  ReadsRow // the second
		want string   // in the error
	}{
		{"the first and the last words", ReadsRow{Own: []Read{{OpFile, "a", Found, ""}, {OpUnder, "b", Lost, ""}}, Parts: []int{1}}, ""},
		{"no way to read", ReadsRow{Own: []Read{{0, "a", Found, ""}}}, "record 2 has a read"},
		{"a way past the last", ReadsRow{Own: []Read{{OpUnder + 1, "a", Found, ""}}}, "record 2 has a read"},
		{"no outcome", ReadsRow{Own: []Read{{OpFile, "a", 0, ""}}}, "record 2 has a read"},
		{"an outcome past the last", ReadsRow{Own: []Read{{OpFile, "a", Lost + 1, ""}}}, "record 2 has a read"},
		{"the row of none", ReadsRow{Parts: []int{0}}, "refers to record 0"},
		{"a row before all", ReadsRow{Parts: []int{-1}}, "refers to record -1"},
		{"itself", ReadsRow{Parts: []int{1, 2}}, "refers to record 2"},
		{"one behind it", ReadsRow{Parts: []int{3}}, "refers to record 3"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			all, err := (&ReadsTable{Rows: []ReadsRow{{}, tc.row, {}}}).Records()
			if tc.want == "" {
				if err != nil || len(all) != 4 {
					t.Fatalf("%v, %v", all, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), tc.want) || all != nil {
				t.Errorf("%v, %v", all, err)
			}
		})
	}
}
