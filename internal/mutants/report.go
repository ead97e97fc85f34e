package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// enough is the share that has to be noticed or argued, of a hundred.
const enough = 95

// tally is what became of the mutants of a room.
type tally struct{ of, tried, noticed, argued int }

// report says what became of the mutants of each room, and lists what survived. It reports
// whether enough were noticed.
func (o *options) report(points, chosen []point, alive map[int]*point, took time.Duration) (bool, error) {
	text, err := os.ReadFile(o.argued)
	if err != nil && !os.IsNotExist(err) {
		return false, err
	}
	var rooms []string
	tallies := make(map[string]*tally)
	var all tally
	for i := range points {
		if tallies[points[i].room()] == nil {
			rooms = append(rooms, points[i].room())
			tallies[points[i].room()] = new(tally)
		}
		tallies[points[i].room()].of++
	}
	for i := range chosen {
		m := &chosen[i]
		t := tallies[m.room()]
		t.tried++
		if alive[m.id] == nil {
			t.noticed++
			continue
		}
		note := ""
		if argues(string(text), m) {
			t.argued++
			note = "  (argued)"
		}
		fmt.Fprintf(o.out, "survived: %s -> %s  line %d%s\n", m.key(), m.becomes, m.line, note)
	}
	slices.Sort(rooms)
	fmt.Fprint(o.out, "\n| room | of | tried | noticed | argued | of 100 |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, room := range rooms {
		fmt.Fprintln(o.out, tallies[room].row("`"+room+"`"))
		all.of, all.tried = all.of+tallies[room].of, all.tried+tallies[room].tried
		all.noticed, all.argued = all.noticed+tallies[room].noticed, all.argued+tallies[room].argued
	}
	fmt.Fprintln(o.out, all.row("all"))
	share := all.share()
	fmt.Fprintf(o.out, "\n%d of %d noticed, %d more argued: %.1f of 100, in %.0f s\n", all.noticed, all.tried, all.argued, share, took.Seconds())
	if all.tried < all.of {
		low, high := all.interval()
		fmt.Fprintf(o.out, "for a sample like this, the share of all is from %.1f to %.1f, 19 times of 20\n", low, high)
	}
	return share >= enough, nil
}

func argues(text string, m *point) bool {
	return strings.Contains(text, "`"+strings.ReplaceAll(m.key(), "|", `\|`)+"`")
}

func (t *tally) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %.1f |", name, t.of, t.tried, t.noticed, t.argued, t.share())
}

func (t *tally) share() float64 {
	return 100 * float64(t.noticed+t.argued) / float64(max(1, t.tried))
}

// interval is Wilson's for the share of all, of which a part was drawn.
func (t *tally) interval() (low, high float64) {
	p, n := t.share()/100, float64(max(1, t.tried))
	n *= float64(t.of-1) / float64(max(1, t.of-t.tried)) // drawn from few, it says more
	const z = 1.96
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	width := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return 100 * (middle - width), 100 * (middle + width)
}
