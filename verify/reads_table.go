package verify

import "fmt"

// ReadsTable is what many judgements read, in a form that can be written down and that, as
// the records themselves, has once what they share.
type ReadsTable struct {
	// Rows refer to rows before them, which is why they can hold no circle.
	Rows []ReadsRow
	at   map[*Reads]int
}

// ReadsRow is one record: what was read for it alone, and the rows, counted from 1, with
// what it shares.
type ReadsRow struct {
	Own   []Read
	Parts []int
}

// Add adds a record and returns its row, counted from 1; 0 stands for the nil *Reads.
func (t *ReadsTable) Add(r *Reads) int {
	if r == nil {
		return 0
	}
	if row, ok := t.at[r]; ok {
		return row
	}
	own, parts := r.snapshot()
	row := ReadsRow{Own: own}
	for _, p := range parts {
		row.Parts = append(row.Parts, t.Add(p))
	}
	t.Rows = append(t.Rows, row)
	if t.at == nil {
		t.at = make(map[*Reads]int)
	}
	t.at[r] = len(t.Rows)
	return len(t.Rows)
}

// Records are the records of a table that somebody else wrote, by row; the first is that of
// row 0. The error says which row is none.
func (t *ReadsTable) Records() ([]*Reads, error) {
	all := make([]*Reads, 1, len(t.Rows)+1)
	for i, row := range t.Rows {
		r := &Reads{own: row.Own}
		for _, read := range row.Own {
			if read.Op < OpFile || read.Op > OpUnder || read.Outcome < Found || read.Outcome > Lost {
				return nil, fmt.Errorf("record %d has a read of an unknown kind", i+1)
			}
		}
		for _, p := range row.Parts {
			if p < 1 || p > i {
				return nil, fmt.Errorf("record %d refers to record %d, which is not before it", i+1, p)
			}
			r.parts = append(r.parts, all[p])
		}
		all = append(all, r)
	}
	return all, nil
}
