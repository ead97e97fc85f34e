package evalkit

import (
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/verify"
)

// Sizes and depths are those of a hostile file: nothing may hang, and the
// number and length of what is said is bounded.
func TestHostileFixtures(t *testing.T) {
	const large = 4 << 20
	key := "sk-" + strings.Repeat("a1", 12)
	for name, text := range map[string]string{
		"long names":         strings.NewReplacer(`"greeting"`, `"`+strings.Repeat("é-", large/4)+`"`, `"smoke"`, `"`+strings.Repeat("x", large)+`"`).Replace(greeting),
		"many members":       strings.Replace(greeting, `"text"`, manyMembers(large/16)+`"text"`, 1),
		"many repeats":       strings.Replace(greeting, `"text"`, strings.Repeat(`"text":0,`, large/16)+`"text"`, 1),
		"many calls":         strings.Replace(greeting, `[]`, "["+strings.Repeat(`1,`, large/8)+"{}]", 1),
		"many secrets":       strings.Replace(greeting, `[]`, "["+strings.Repeat(`"`+key+`",`, large/64)+"{}]", 1),
		"deep":               strings.Replace(greeting, `[]`, strings.Repeat(`[`, large), 1),
		"deep and wide":      strings.Replace(greeting, `[]`, strings.Repeat(`{"`+key+`":[`, 200)+strings.Repeat("0,", large/8)+"0"+strings.Repeat("]}", 200), 1),
		"many lines":         greeting + strings.Repeat("\n", large),
		"many conflicts":     strings.Repeat("<<<<<<< \n", large/16),
		"a list of nothing":  strings.Repeat("[]\n", large/16),
		"one line of spaces": strings.Repeat(" ", large),
	} {
		r := judgeText(Format{}, text)
		if r.Count(verify.Fail)+r.Count(verify.Warn) == 0 {
			t.Errorf("%s: nothing is wrong with it", name)
		}
		total := 0
		for _, c := range r.Checks {
			if n := len(c.Reason); n > verify.MaxValue || len(c.Field) > verify.MaxValue || len(c.Recorded) > verify.MaxValue {
				t.Errorf("%s: %+v", name, c)
			}
			if strings.Contains(c.Field+c.Reason+c.Recorded, key) {
				t.Errorf("%s: %s quotes a secret", name, c.Field)
			}
			total += len(c.Reason)
		}
		if len(r.Checks) > 3*maxFindings || total > 64<<10 {
			t.Errorf("%s: %d checks, %d bytes of reasons", name, len(r.Checks), total)
		}
	}
}

func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"` + strings.Repeat("k", i%7) + string(rune('a'+i%26)) + string(rune(0x4e00+i%20000)) + `":0,`)
	}
	return b.String()
}

// A config is read as text, whatever it is.
func TestHostileConfigs(t *testing.T) {
	const large = maxConfig - 1024
	for name, config := range map[string]string{
		"quotes that end nowhere":     strings.Repeat(`"\`, large/2),
		"templates that end nowhere":  "`" + strings.Repeat("\\`", large/2-1),
		"templates of templates":      strings.Repeat("`${", large/3),
		"many literals":               strings.Repeat(`"x",`, large/4),
		"many objects":                strings.Repeat(`{name:"smoke",`, large/14),
		"spaces":                      strings.Repeat("a"+strings.Repeat(" ", 1000), large/1001),
		"patterns that end nowhere":   strings.Repeat("(/[", large/3),
		"a comment that ends nowhere": "/*" + strings.Repeat("*", large),
		"escapes at the end":          `"\u`,
	} {
		files := map[string]string{greetingPath: greeting, "eval.config.ts": config}
		c := row(t, judgeTree(Format{}, files, greetingPath), "_meta.configHash")
		if c.Status != verify.Info || c.Code != "cannot-verify" {
			t.Errorf("%s: %+v", name, c)
		}
	}
	s := scanConfig(strings.Repeat(`"x",`, maxTexts+1))
	texts, truncated := s.texts, s.lost
	if len(texts) != maxTexts || !truncated {
		t.Errorf("%d texts, truncated %t", len(texts), truncated)
	}
}
