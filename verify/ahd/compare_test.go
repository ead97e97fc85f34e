package ahd

import (
	"fmt"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// published is a report with its block, a table and prose.
var published = block + `
## 1.2 Results

We ran 30 samples with gpt-4 and gemma-4-26b on 2026-04-22; the compiled arm wins by 26 pp.
The mean is 0.71 tells, at a cost of $12 and 1,234 ms per page (v0.11.0).

| model | n | slop | time |
|-------|--:|-----:|-----:|
| m-1   | 30 | 71 % | 1.5 s |
| m-2   | 30 | 97 % | 2.5 s |

## Notes

- The brief asks for 2 inks.
`

func compared(before, after string) string {
	var all []string
	for _, c := range (Format{}).CompareSubject("docs/run.md", []byte(before), []byte(after)) {
		text := fmt.Sprintf("%s %s", c.Status, c.Code)
		if c.Status == verify.Fail {
			_, edit, _ := strings.Cut(c.Reason, "the same: ")
			text += " " + edit
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// Issue 11: a number replaced or removed while the sidecar stays (in a table, or with a
// decimal point, unit or percent sign) is FAIL report-edited with old and new; other text
// is a warning. "Reports are allowed to be redacted, never to contradict."
func TestCompareSubject(t *testing.T) {
	const reworded = "warn report-text"
	for _, tc := range []struct{ name, old, with, want string }{
		{"nothing", "", "", ""},
		{"the issue's own", "71 %", "97 %", "FAIL report-edited 71 % -> 97 % (m-1)"},
		{"removed", "| 71 % |", "| |", "FAIL report-edited 71 % (m-1); " + reworded},
		{"a row removed", "| m-1   | 30 | 71 % | 1.5 s |\n", "", "FAIL report-edited 30 (m-1); FAIL report-edited 71 % (m-1); FAIL report-edited 1.5 s (m-1); " + reworded},
		{"rows exchanged", "71 % | 1.5 s |\n| m-2   | 30 | 97 % | 2.5 s", "97 % | 1.5 s |\n| m-2   | 30 | 71 % | 2.5 s",
			"FAIL report-edited 71 % -> 97 % (m-1); FAIL report-edited 97 % -> 71 % (m-2)"},
		{"labels exchanged", "| m-1   | 30 | 71 % | 1.5 s |\n| m-2   |", "| m-2   | 30 | 71 % | 1.5 s |\n| m-1   |",
			"FAIL report-edited 71 % -> 97 % (m-1); FAIL report-edited 1.5 s -> 2.5 s (m-1); FAIL report-edited 97 % -> 71 % (m-2); FAIL report-edited 2.5 s -> 1.5 s (m-2)"},
		{"whole number of a table", "| m-1   | 30 |", "| m-1   | 300 |", "FAIL report-edited 30 -> 300 (m-1)"},
		{"with a decimal point", "0.71", "0.17", "FAIL report-edited 0.71 tells -> 0.17 tells (The mean is #, at a cost of # and # per page (v0.11.0).)"},
		{"with a unit", "26 pp", "62 pp", "FAIL report-edited 26 pp -> 62 pp (We ran # with gpt-4 and gemma-4-26b on 2026-04-22; the compiled arm wins by #.)"},
		{"another unit", "1,234 ms", "1,234 s", "FAIL report-edited 1,234 ms -> 1,234 s (The mean is #, at a cost of # and # per page (v0.11.0).)"},
		{"money", "$12", "$2", "FAIL report-edited $12 -> $2 (The mean is #, at a cost of # and # per page (v0.11.0).)"},
		{"how often", "30 samples", "90 samples", "FAIL report-edited 30 samples -> 90 samples (We ran # with gpt-4 and gemma-4-26b on 2026-04-22; the compiled arm wins by #.)"},
		{"a number and its words", "wins by 26 pp", "beats it by 62 pp",
			"FAIL report-edited 26 pp -> 62 pp (We ran # with gpt-4 and gemma-4-26b on 2026-04-22; the compiled arm wins by #.); " + reworded},

		{"another spelling", "0.71 tells", "0.710 tells", ""},
		{"bold", "| 71 % |", "| **71 %** |", ""},
		{"no blank", "71 %", "71%", ""},
		{"columns aligned", "| m-1   | 30 | 71 % | 1.5 s |", "|m-1|30|  71 %  |  1.5 s  |", ""},
		{"rule of the table", "|-------|--:|-----:|-----:|", "| :--- | --- | --- | --- |", ""},
		{"line ends", "\n", "\r\n", ""},
		{"prose corrected", "wins by", "is better by", reworded},
		{"prose in other lines", "wins by 26 pp.\nThe mean", "wins\nby 26 pp. The mean", reworded},
		{"a model's name", "gpt-4 ", "gpt-5 ", reworded},
		{"a version", "v0.11.0", "v0.12.0", reworded},
		{"a date", "2026-04-22;", "2026-04-23;", reworded},
		{"a plain number", "2 inks", "3 inks", reworded},
		{"a section's number", "## 1.2 Results", "## 1.3 Results", reworded},
		{"rows sorted", "| m-1   | 30 | 71 % | 1.5 s |\n| m-2   | 30 | 97 % | 2.5 s |", "| m-2   | 30 | 97 % | 2.5 s |\n| m-1   | 30 | 71 % | 1.5 s |", reworded},
		{"a row added", "\n## Notes", "| m-3 | 30 | 50 % | 1.0 s |\n\n## Notes", reworded},
		{"in the block", "  n: 30\n", "  n: 300\n", ""}, // held against the sidecar
		{"in the commands", "--n 30", "--n 300", ""},
		{"no block", "```yaml ahd-replay", "```yaml", "warn block-gone; " + reworded},
	} {
		with := strings.Replace(published, tc.old, tc.with, 1)
		if tc.old == "\n" {
			with = strings.ReplaceAll(published, tc.old, tc.with)
		}
		if got := compared(published, with); got != tc.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tc.name, got, tc.want)
		}
	}
	var _ verify.SubjectComparer = Format{}
}

// A row says what stands where, for the outputs that show it.
func TestEditedNumberIsLocated(t *testing.T) {
	c := Format{}.CompareSubject("docs/run.md", []byte(published), []byte(strings.Replace(published, "71 %", "97 %", 1)))[0]
	line := 1 + strings.Count(published[:strings.Index(published, "71 %")], "\n")
	if c.Recorded != "71 %" || c.Observed != "97 %" || c.Location.Line != line || c.Field != "report" {
		t.Errorf("%+v", c)
	}
}

// A report can be written anew; the rows and the work stay bounded.
func TestCompareSubjectIsBounded(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, tc := range []struct{ before, after string }{
		{many(100, "| a | %d |\n"), ""},
		{many(100_000, "| a | %d |\n"), many(100_000, "| b | %d |\n")},
		{many(200_000, "0.%d "), many(200_000, "1.%d ")},
		{strings.Repeat("|", 1<<20), "1" + strings.Repeat("|", 1<<20)},
	} {
		checks := Format{}.CompareSubject("r.md", []byte(tc.before), []byte(tc.after))
		if len(checks) == 0 || len(checks) > maxEdits+3 {
			t.Errorf("%d rows", len(checks))
		}
		for _, c := range checks {
			if c.Status != verify.Fail && c.Code == "report-edited" {
				t.Errorf("%+v", c)
			}
		}
	}
}

// A value is the same however it is written.
func TestSameValue(t *testing.T) {
	t.Parallel()
	for _, tc := range [][4]string{
		{"", "1234", "", "1234"}, {"", "1,234", "", "1234"}, {"", "12,345,678", "", "1.2345678e+07"}, {"", "0,123", "", "0.123"}, {"", "1,5", "", "1.5"}, {"", "1,23", "", "1.23"},
		{"", "1_000", "", "1000"}, {"", "0.710", "", "0.71"}, {"-", "5", "", "-5"}, {"−", "5", "", "-5"}, {"+", "5", "", "5"}, {"", "5", "3", "5000"}, {"-", "1.2.3", "", "-1.2.3"}, {"", ",5", "", "0.5"},
	} {
		if got := sameValue(tc[0], tc[1], tc[2]); got != tc[3] {
			t.Errorf("%q: %s", tc[:3], got)
		}
	}
}
