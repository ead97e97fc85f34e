// Command mutants asks whether the tests would notice if a verdict were wrong: it flips each
// comparison and each status on the way to one, a mutant at a time, and runs the tests.
//
//	go run ./internal/mutants                              all mutants of verify, gate and bundle
//	go run ./internal/mutants -n 200 -seed 7 ./verify/...  a sample, the same for the same seed
//
// One copy of the module holds all mutants: a comparison becomes one that a number in the
// environment inverts, so that each package's tests are compiled once. A first run of each
// test notes which mutants it comes by; a mutant is then tried with those alone, in its own
// package first. It is noticed when a test fails, panics, or does not end in time. With
// -state, a run that was cut off goes on, and what another noticed is not tried again.
//
// What survives is printed by file, function and text; those that docs/mutants.md argues
// count apart. The exit code is 1 when less than 95 of 100 were noticed or are argued.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

func main() {
	o := options{out: os.Stdout, patterns: []string{"./verify/...", "./gate/...", "./bundle/..."}}
	flag.IntVar(&o.sample, "n", 0, "mutants to try; 0 is all")
	flag.Uint64Var(&o.seed, "seed", 1, "which of them")
	flag.IntVar(&o.workers, "p", runtime.GOMAXPROCS(0), "tests to run at a time")
	flag.BoolVar(&o.outer, "outer", true, "try what its own package did not notice with the tests of bundle, gate and internal/cli")
	flag.DurationVar(&o.reach, "reach", 20*time.Second, "what the tests of its own package may take for a mutant, and those of another a quarter of it; 0 is as long as they take")
	flag.StringVar(&o.state, "state", "", "`file` for what became of each mutant, which a run that was cut off goes on from")
	flag.StringVar(&o.argued, "argued", "docs/mutants.md", "`file` that argues survivors")
	flag.Parse()
	if flag.NArg() > 0 {
		o.patterns = flag.Args()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	good, err := o.run(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}
