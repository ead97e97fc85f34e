package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// test is one test of a suite.
type test struct {
	name  string
	took  time.Duration
	meets map[int]bool // the mutants that it comes by
}

// skipped are the tests that are about the machine and not about verdicts, or that run the
// program as it is built, in which no mutant is.
const skipped = "^(TestFaults|TestSignal|TestDocsCommands|Fuzz.*|Benchmark.*)$"

// open compiles the tests of a package of the copy, and runs each of them once.
func open(ctx context.Context, scratch string, p listed, workers int) (*suite, error) {
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
	s.tests = make([]test, len(names))
	err = each(ctx, workers, len(names), func(i int) error {
		seen := filepath.Join(scratch, fmt.Sprintf("seen-%s-%d", filepath.Base(s.binary), i))
		began := time.Now()
		ok, out := s.try(ctx, 0, seen, 10*time.Minute, names[i])
		if !ok {
			return fmt.Errorf("%s %s fails without any mutant:\n%s", s.pkg, names[i], out)
		}
		s.tests[i] = test{names[i], time.Since(began), numbers(seen)}
		return nil
	})
	slices.SortStableFunc(s.tests, func(a, b test) int { return int(a.took - b.took) })
	return s, err
}

func (s *suite) names(ctx context.Context) ([]string, error) {
	cmd := exec.CommandContext(ctx, s.binary, "-test.list", "^Test|^Example")
	cmd.Dir = s.dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the tests of %s: %w", s.pkg, err)
	}
	skip := strings.Split(strings.Trim(skipped, "^()$"), "|")
	return slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool { return slices.Contains(skip, name) }), nil
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

// try runs tests with a mutant, and reports whether all passed in time.
func (s *suite) try(ctx context.Context, mutant int, seen string, limit time.Duration, names ...string) (bool, string) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.binary, "-test.failfast", "-test.timeout", limit.String(), "-test.run", "^("+strings.Join(names, "|")+")$")
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "REPLAY_GATE_MUTANT="+strconv.Itoa(mutant), "REPLAY_GATE_MUTANTS_SEEN="+seen, "GOMAXPROCS=1", "GOMEMLIMIT=1GiB")
	cmd.WaitDelay = time.Second // what it started may hold the pipes
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd.Run() == nil, out.String()
}

// notices reports whether a test of the suite notices a mutant, and which one was the first.
// Quick tests go first, many in one process.
func (s *suite) notices(ctx context.Context, mutant int) bool {
	var batch []string
	var took time.Duration
	flush := func() bool {
		if len(batch) == 0 {
			return false
		}
		ok, _ := s.try(ctx, mutant, "", 10*took+5*time.Second, batch...)
		batch, took = nil, 0
		return !ok
	}
	for _, t := range s.tests {
		if !t.meets[mutant] {
			continue
		}
		batch, took = append(batch, t.name), took+t.took
		if (took > 2*time.Second || len(batch) == 20) && flush() {
			return true
		}
	}
	return flush()
}
