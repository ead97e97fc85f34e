package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/replay-gate/replay-gate/internal/gittest"
)

// Nothing hangs (issue 10): each of these ended only by SIGKILL once. The context ends none
// of them here; it bounds the test.
func TestNothingHangs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		edit func(s *scene)
		exit int
		want string // a reason or code in the report
	}{
		{"braces thirty times in an entry", func(s *scene) {
			blue(s)
			s.put(acceptedDrift, strings.Replace(accept(strings.Repeat("{*,*}", 30)+"z", "token.hash"), `"*"`, tokenHash(s.read("tokens/swiss.yml")), 1))
		}, 1, "entry-malformed"},
		{"braces within braces", func(s *scene) {
			blue(s)
			s.put(acceptedDrift, accept(strings.Repeat("{a,", 30)+strings.Repeat("}", 30), "token.hash"))
		}, 1, "entry-malformed"},
		{"many stars", func(s *scene) {
			blue(s)
			s.put(acceptedDrift, accept(strings.Repeat("**/*a", 40)+"b", "token.hash"))
		}, 1, "entry-malformed"},
		{"16 MB of secrets", func(s *scene) {
			s.put(reportOf("a"), s.read(reportOf("a"))+strings.Repeat("key=abcabc ", 16<<20/11))
		}, 0, ""},
		{"16 MB of one key", func(s *scene) {
			s.put(sidecarOf("a"), `{"schema_version": 1, "invoked_at": `+strings.Repeat(`{"a":`, 3<<20))
		}, 2, "a.replay.json"},
		{"a folder 700 deep", func(s *scene) { s.put(strings.Repeat("d/", 700)+"x.replay.json", "{}") }, 0, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			row := greenRow{edit: tc.edit}
			s := row.play(t)
			for _, args := range [][]string{nil, {"--head", "HEAD"}} {
				if args != nil {
					s.Commit("head")
				}
				began := time.Now()
				r, text := gateOn(t, s, args...)
				if r.ExitCode != tc.exit && tc.exit != 0 || !strings.Contains(text, tc.want) {
					t.Errorf("exit %d (%s): %.300s", r.ExitCode, r.Message, text)
				}
				t.Logf("%v %v", args, time.Since(began))
			}
		})
	}
}

// Every loop ends soon after the context: with no time at all a run says so.
func TestTimeout(t *testing.T) {
	t.Parallel()
	s := greenRow{edit: blue}.play(t)
	for _, args := range [][]string{{"gate", "--base", "base", "--timeout", "1ns"}, {"gate", "--base", "base", "--head", "HEAD", "--timeout", "1ns"}} {
		exit, report := runOn(t, context.Background(), s.Repo, args...)
		if exit != 3 || report.ReasonCode != "E_TIMEOUT" {
			t.Errorf("%v: exit %d, %s %s", args, exit, report.ReasonCode, report.Message)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if exit, report := runOn(t, ctx, s.Repo, "gate", "--base", "base"); exit != 3 || report.ReasonCode != "E_INTERRUPTED" {
		t.Errorf("exit %d, %s %s", exit, report.ReasonCode, report.Message)
	}
}

func runOn(t *testing.T, ctx context.Context, g *gittest.Repo, args ...string) (int, greenReport) {
	t.Helper()
	var out bytes.Buffer
	code := Main(ctx, Streams{In: strings.NewReader(""), Out: &out, Err: new(bytes.Buffer), Getenv: func(string) string { return "" }, Now: clock}, append(args, "--root", g.Dir, "--json"))
	var r greenReport
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return code, r
}
