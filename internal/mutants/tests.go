package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// test is one test of a suite, or a part of one.
type test struct {
	name  string        // with those that it is part of
	took  time.Duration // of the processor
	meets map[int]bool  // the mutants that it comes by
	kills int           // the mutants that it noticed, until now
}

// skipped are the tests that are about the machine and not about verdicts, or that run the
// program as it is built, in which no mutant is.
var skipped = []string{"TestFaults", "TestKilledRunsLeaveAFolderThatIsRepaired", "TestNothingHangs", "TestNothingLeaks"}

// long is what a test takes whose parts are tests of their own here, such as scripts.
const long = 2 * time.Second

// open compiles the tests of a package of the copy, and runs each of them once.
func (o *options) open(ctx context.Context, scratch string, p listed) (*suite, error) {
	s := &suite{pkg: p.ImportPath, dir: p.Dir, binary: filepath.Join(scratch, strings.ReplaceAll(p.ImportPath, "/", "_")+".test")}
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-o", s.binary, ".")
	cmd.Dir = p.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compiling the tests of %s: %w\n%s", p.ImportPath, err, out)
	}
	names, err := s.names(ctx)
	if err != nil {
		return nil, err
	}
	parts, err := o.meet(ctx, s, names)
	if err != nil {
		return nil, err
	}
	var inner []string
	s.tests = slices.DeleteFunc(s.tests, func(t *test) bool {
		split := t.took > long && len(parts[t.name]) > 1
		if split {
			inner = append(inner, parts[t.name]...)
		}
		return split
	})
	_, err = o.meet(ctx, s, inner)
	return s, err
}

// meet runs tests without a mutant to learn which ones they come by. It returns the names of
// the parts of each.
func (o *options) meet(ctx context.Context, s *suite, names []string) (parts map[string][]string, err error) {
	parts = make(map[string][]string)
	var mu sync.Mutex
	err = each(ctx, o.workers, len(names), func(i int) error {
		seen := s.binary + ".seen-" + strconv.Itoa(i)
		defer os.Remove(seen)
		ok, out, took := s.try(ctx, 0, seen, 10*time.Minute, names[i])
		t := &test{name: names[i], took: took, meets: numbers(seen)}
		mu.Lock()
		defer mu.Unlock()
		if !ok && ctx.Err() == nil {
			fmt.Fprintf(o.out, "left out: %s %s fails without any mutant\n", s.pkg, t.name)
			return nil
		}
		parts[t.name] = within(out)
		s.tests = append(s.tests, t)
		return ctx.Err()
	})
	return parts, err
}

var ran = regexp.MustCompile(`(?m)^=== RUN   (\S+?/[^/\s]+)`)

// within are the parts of a test that a run of it names, each once.
func within(out string) []string {
	var all []string
	for _, m := range ran.FindAllStringSubmatch(out, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// pattern is the name of a test as -test.run takes it.
func pattern(name string) string {
	words := strings.Split(name, "/")
	for i := range words {
		words[i] = "^" + regexp.QuoteMeta(words[i]) + "$"
	}
	return strings.Join(words, "/")
}

func (s *suite) names(ctx context.Context) ([]string, error) {
	cmd := exec.CommandContext(ctx, s.binary, "-test.list", "^Test|^Example|^Fuzz")
	cmd.Dir = s.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the tests of %s: %w", s.pkg, err)
	}
	return slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool { return slices.Contains(skipped, name) }), nil
}

func numbers(file string) map[int]bool {
	text, _ := os.ReadFile(file) // none was met
	met := make(map[int]bool)
	for word := range strings.FieldsSeq(string(text)) {
		if n, err := strconv.Atoi(word); err == nil {
			met[n] = true
		}
	}
	return met
}

// try runs tests with a mutant, and reports whether all passed within the limit, and what
// they took. Both are times of the processor, so that a busy machine notices nothing; for
// what stands still there is a limit of six times as much in ticks of this process, which
// stop where it is stopped.
func (s *suite) try(ctx context.Context, mutant int, seen string, limit time.Duration, names ...string) (bool, string, time.Duration) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const tick = 100 * time.Millisecond
	go func() {
		for range 6 * limit / tick {
			select {
			case <-ctx.Done():
				return
			case <-time.After(tick):
			}
		}
		cancel()
	}()
	patterns := make([]string, len(names))
	for i, name := range names {
		patterns[i] = pattern(name)
	}
	verbose := strconv.FormatBool(seen != "")
	cmd := exec.CommandContext(ctx, "sh", "-c", fmt.Sprintf(`ulimit -t %d; exec "$0" "$@"`, int(limit.Seconds())+1),
		s.binary, "-test.failfast", "-test.v="+verbose, "-test.timeout=0", "-test.run", strings.Join(patterns, "|"))
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "REPLAY_GATE_MUTANT="+strconv.Itoa(mutant), "REPLAY_GATE_MUTANTS_SEEN="+seen, "GOMAXPROCS=1", "GOMEMLIMIT=1GiB")
	cmd.WaitDelay = time.Second // what it started may hold the pipes
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); cmd.ProcessState == nil {
		return false, err.Error(), 0 // it was not even begun
	}
	return cmd.ProcessState.Success(), out.String(), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

// notices reports whether a test of the suite notices a mutant. Those go first that are
// quick and have noticed others; the more have passed, the more run in one process. Where
// reach is given, no more than that is spent on it.
func (s *suite) notices(ctx context.Context, mutant int, reach time.Duration) bool {
	s.mu.Lock()
	slices.SortStableFunc(s.tests, func(a, b *test) int {
		return int(a.took/time.Duration(1+a.kills) - b.took/time.Duration(1+b.kills))
	})
	var meeting []*test
	var all time.Duration
	for _, t := range s.tests {
		if t.meets[mutant] && (reach == 0 || all+t.took <= reach) {
			meeting, all = append(meeting, t), all+t.took
		}
	}
	s.mu.Unlock()
	for most := 100 * time.Millisecond; len(meeting) > 0; most *= 3 {
		var names []string
		var took time.Duration
		for len(meeting) > 0 && (took == 0 || took+meeting[0].took <= most) {
			names, took, meeting = append(names, meeting[0].name), took+meeting[0].took, meeting[1:]
		}
		if ok, out, _ := s.try(ctx, mutant, "", 10*took+2*time.Second, names...); !ok {
			return ctx.Err() == nil && s.credit(out, names)
		}
	}
	return false
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// credit counts the mutant for the tests that noticed it, of those that ran.
func (s *suite) credit(out string, names []string) bool {
	var by []string
	for _, m := range failed.FindAllStringSubmatch(out, -1) {
		by = append(by, m[1])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tests {
		if slices.Contains(by, t.name) && slices.Contains(names, t.name) {
			t.kills++
		}
	}
	return true
}
