// Command replay-gate checks recorded eval evidence against the repository that
// it belongs to, on a pull request or anywhere else.
//
// Run "replay-gate help" for the commands, or see the README.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/replay-gate/replay-gate/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go leave(ctx)
	code := cli.Main(ctx, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Now: time.Now()}, os.Args[1:])
	stop()
	os.Exit(code)
}

// leave ends a process that does not come back after a signal, such as one that waits for
// its standard input.
func leave(ctx context.Context) {
	<-ctx.Done()
	time.Sleep(4 * time.Second)
	_, _ = os.Stderr.WriteString("replay-gate: did not end after the signal\nreason: E_INTERRUPTED\nnext:   run it again\n")
	os.Exit(3)
}
