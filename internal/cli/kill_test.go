package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Issue 12, "The folder is whole": a run that is killed at any instant leaves the folder as
// the run before left it, or as it would have, or without its list of digests; and the next
// run puts it right. The instants are spread over one whole run, however long that takes,
// and over the part of it in which files get their names.
func TestKilledRunsLeaveAFolderThatIsRepaired(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	row := greenRow{base: func(h house) {
		for i := range 20 {
			h.record(fmt.Sprintf("c%02d", i), run{token: "tokens/swiss.yml", at: fmt.Sprintf("2026-05-03T10:%02d:00.000Z", i)})
		}
	}}
	s := row.play(t)
	gate := func(late bool, kill time.Duration) (killed bool, took time.Duration) {
		link := filepath.Join(s.T.TempDir(), "replay-gate")
		if err := os.Symlink(program, link); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(link, "gate", "--root", s.Dir, "--base", "base", "--scope", "all", "--fail-on", "never")
		cmd.Env = append(s.Env, "HOME="+t.TempDir())
		began := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		if kill > 0 {
			go func() {
				for most := 0; late; {
					if n := staged(s); n < most {
						break // names are given
					} else {
						most = n
					}
					select {
					case <-ended:
						return
					default:
						time.Sleep(20 * time.Microsecond)
					}
				}
				time.Sleep(kill)
				_ = cmd.Process.Kill() // which an ended one does not feel
			}()
		}
		err := cmd.Wait()
		close(ended)
		if err != nil && kill == 0 {
			t.Fatal(err)
		}
		return err != nil, time.Since(began)
	}
	_, whole := gate(false, 0)
	kills := 0
	const rounds = 16
	for i := range rounds {
		// Every round has another verdict, so that all that lies there is replaced.
		s.put("tokens/swiss.yml", "id: swiss\naccent: \""+strings.Repeat("x", i+1)+"\"\nrules:\n  - one accent\n")
		at := whole * time.Duration(i+1) / rounds
		if i%2 == 1 {
			at = time.Duration(i) * 20 * time.Microsecond
		}
		if killed, _ := gate(i%2 == 1, at); killed {
			kills++
		}
		if wrong := brokenFolder(s); wrong != "" {
			t.Errorf("killed after %d of %d parts: %s", i+1, rounds, wrong)
		}
	}
	if kills == 0 {
		t.Error("no run was killed")
	}
	gate(false, 0)
	if wrong := brokenFolder(s); wrong != "" {
		t.Errorf("the next run leaves %s", wrong)
	}
	entries, err := os.ReadDir(s.Path(".assay/bundles"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".tmp") {
			t.Errorf("the next run leaves %s", e.Name())
		}
	}
	t.Logf("%d of %d runs were killed", kills, rounds)
}

// staged counts the bundles that are written and have no name yet.
func staged(s *scene) int {
	names, _ := filepath.Glob(s.Path(".assay/bundles/.*.tmp"))
	return len(names)
}

// brokenFolder says what is wrong with the folder of bundles; what has no list of digests
// says of itself that no run has finished it.
func brokenFolder(s *scene) string {
	sums, err := os.ReadFile(s.Path(".assay/bundles/SHA256SUMS"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data, err := os.ReadFile(s.Path(".assay/bundles/" + name))
		if digest := sha256.Sum256(data); err != nil || hex.EncodeToString(digest[:]) != sum {
			return name + " is not what SHA256SUMS says"
		}
	}
	var report bundledReport
	data, err := os.ReadFile(s.Path(".assay/bundles/report.json"))
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if err != nil {
		return "report.json: " + err.Error()
	}
	return ""
}
