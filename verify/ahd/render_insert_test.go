package ahd

import (
	"errors"
	"strings"
	"testing"
)

// AHD replay, Two surfaces: "The block lands in two places alongside every report. The first
// is a fenced ```yaml ahd-replay block at the top of the markdown report". A report that has
// none gets it below its title, and every byte of its own stays.
func TestPutBlock(t *testing.T) {
	t.Parallel()
	block, err := RenderBlock([]byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	commands, err := RenderCommands([]byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	both := block + "\n" + commands
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for name, tt := range map[string][2]string{
		"below the title":          {"# run\n\nAll \xffscored.\n", "# run\n\n" + both + "\nAll \xffscored.\n"},
		"no blank line behind":     {"# run\nAll scored.", "# run\n\n" + both + "\nAll scored."},
		"a title alone":            {"# run", "# run\n\n" + both},
		"a title and its line end": {"# run\n", "# run\n\n" + both},
		"no title":                 {"All scored.\n", both + "\nAll scored.\n"},
		"a heading further down":   {"All.\n\n# run\n", both + "\nAll.\n\n# run\n"},
		"a smaller heading":        {"## run\n", both + "\n## run\n"},
		"an underlined title":      {"run\n===\n\nAll\n", "run\n===\n\n" + both + "\nAll\n"},
		"front matter":             {"---\ntitle: x\n---\n\n# run\nAll\n", "---\ntitle: x\n---\n\n# run\n\n" + both + "\nAll\n"},
		"front matter alone":       {"---\ntitle: x\n---\nAll\n", "---\ntitle: x\n---\n\n" + both + "\nAll\n"},
		"a rule":                   {"---\nAll\n", both + "\n---\nAll\n"},
		"a byte order mark":        {"\ufeffAll\n", "\ufeff\n" + both + "\nAll\n"},
		"CRLF":                     {"# run\r\n\r\nAll\r\n", "# run\r\n\r\n" + crlf(both) + "\r\nAll\r\n"},
		"empty":                    {"", both},
		"a mention is no block":    {"# run\n\nSee ```yaml ahd-replay\n", "# run\n\n" + both + "\nSee ```yaml ahd-replay\n"},
		"one that it has":          {"# run\n\nAll\n```yaml ahd-replay\nkind: x\n```\n", "# run\n\nAll\n" + block},
	} {
		got, err := PutBlock([]byte(tt[0]), []byte(valid))
		if err != nil || string(got) != tt[1] {
			t.Errorf("%s: %v\ngot  %q\nwant %q", name, err, got, tt[1])
		}
		if again, err := PutBlock(got, []byte(valid)); err != nil || string(again) != string(got) {
			t.Errorf("%s: a second time: %v", name, err)
		}
		if name != "one that it has" && !HasBlock(got) {
			t.Errorf("%s: no block is found", name)
		}
	}
	if _, err := PutBlock([]byte("```yaml ahd-replay\nkind: x\n"), []byte(valid)); !errors.Is(err, ErrOpenBlock) {
		t.Error(err)
	}
	if _, err := PutBlock([]byte("# run\n"), []byte(`{"schema_version": 1}`)); err == nil {
		t.Error("a sidecar that says nothing was shown")
	}
}

// What is put into a report agrees with its sidecar.
func TestPutBlockVerifies(t *testing.T) {
	t.Parallel()
	report, err := PutBlock([]byte("# run\n\nAll scored.\n"), []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	if got := bad(withReport(string(report))); got != "" {
		t.Error(got)
	}
}
