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

	"github.com/replay-gate/replay-gate/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := cli.Main(ctx, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}, os.Args[1:])
	stop()
	os.Exit(code)
}
