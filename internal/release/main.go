// Command release holds the steps of a release that no other tool does: the licences
// of what is linked, the bill of materials, the image, and the release commit's
// texts. The scripts in .github/release call it, and docs/release.md tells the story.
//
//	release version VERSION                     check a tag; print the moving tag that follows it (tags on standard input)
//	release notes VERSION CHANGELOG             print the part of the changelog
//	release licences COMMAND FOLDER LIST        collect and check the licences of what a command links
//	release sbom BINARY VERSION LIST FILE       write a bill of materials
//	release image DIST LICENCES VERSION COMMIT TIME LAYOUT   assemble the image; print its digest
//	release push LAYOUT REPOSITORY              push it; print the reference to pin
//	release tag REFERENCE TAG...                name it in the registry
//	release action REFERENCE ACTION             write the reference into action.yml
//
// It is a module of its own, so that what it needs stays out of the product's.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/replay-gate/replay-gate/internal/release/edit"
	"github.com/replay-gate/replay-gate/internal/release/image"
	"github.com/replay-gate/replay-gate/internal/release/licences"
	"github.com/replay-gate/replay-gate/internal/release/sbom"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdin, os.Stdout, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// steps are the commands, with how many arguments each takes; a negative number is
// the least.
var steps = map[string]struct {
	arguments int
	run       func(ctx context.Context, in io.Reader, out io.Writer, args []string) error
}{
	"version":  {1, versionStep},
	"notes":    {2, notesStep},
	"licences": {3, licencesStep},
	"sbom":     {4, sbomStep},
	"image":    {6, imageStep},
	"push":     {2, pushStep},
	"tag":      {-2, tagStep},
	"action":   {2, actionStep},
}

func run(ctx context.Context, in io.Reader, out io.Writer, args []string) error {
	if len(args) == 0 {
		return errors.New("no step is named; see the comment of internal/release/main.go")
	}
	step, ok := steps[args[0]]
	if !ok {
		return fmt.Errorf("%q is no step", args[0])
	}
	args = args[1:]
	if want := step.arguments; want >= 0 && len(args) != want || len(args) < -want {
		return fmt.Errorf("%d arguments given, want %d", len(args), want)
	}
	return step.run(ctx, in, out, args)
}

func versionStep(_ context.Context, in io.Reader, out io.Writer, args []string) error {
	var tags []string
	for lines := bufio.NewScanner(in); lines.Scan(); {
		tags = append(tags, lines.Text())
	}
	moving, err := edit.Moves(args[0], tags)
	if err == nil && moving != "" {
		fmt.Fprintln(out, moving)
	}
	return err
}

func notesStep(_ context.Context, _ io.Reader, out io.Writer, args []string) error {
	changelog, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	notes, err := edit.Notes(changelog, args[0])
	if err != nil {
		return err
	}
	_, err = out.Write(notes)
	return err
}

func licencesStep(ctx context.Context, _ io.Reader, out io.Writer, args []string) error {
	modules, err := licences.Find(ctx, args[0], licences.Platforms)
	if err != nil {
		return err
	}
	if err := licences.Check(modules); err != nil {
		return err
	}
	if err := licences.Write(modules, args[1]); err != nil {
		return err
	}
	list, err := licences.Licensed(modules)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d modules, every licence is an allowed one\n", len(modules))
	return os.WriteFile(args[2], append(data, '\n'), 0o644)
}

func sbomStep(_ context.Context, _ io.Reader, _ io.Writer, args []string) error {
	data, err := os.ReadFile(args[2])
	if err != nil {
		return err
	}
	var list licences.List
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := sbom.Write(&b, args[0], args[1], list); err != nil {
		return err
	}
	return os.WriteFile(args[3], b.Bytes(), 0o644)
}

func imageStep(_ context.Context, _ io.Reader, out io.Writer, args []string) error {
	dist, version, commit, layout := args[0], args[2], args[3], args[5]
	at, err := time.Parse(time.RFC3339, args[4])
	if err != nil {
		return err
	}
	binaries, err := linuxBinaries(dist)
	if err != nil {
		return err
	}
	index, err := image.Build(image.Contents{Binaries: binaries, Licences: args[1], Version: version, Commit: commit, Time: at})
	if err != nil {
		return err
	}
	if err := image.Save(index, layout); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, digest)
	return err
}

// linuxBinaries finds the binaries in goreleaser's list of what it made, whose paths
// start at the folder that holds dist.
func linuxBinaries(dist string) (map[string]string, error) {
	data, err := os.ReadFile(filepath.Join(dist, "artifacts.json"))
	if err != nil {
		return nil, err
	}
	var artifacts []struct{ Path, Goos, Goarch, Type string }
	if err := json.Unmarshal(data, &artifacts); err != nil {
		return nil, err
	}
	binaries := map[string]string{}
	for _, a := range artifacts {
		if a.Type == "Binary" && a.Goos == "linux" {
			binaries[a.Goarch] = filepath.Join(filepath.Dir(dist), a.Path)
		}
	}
	for _, arch := range []string{"amd64", "arm64"} {
		if binaries[arch] == "" {
			return nil, fmt.Errorf("%s holds no binary for linux/%s", dist, arch)
		}
	}
	return binaries, nil
}

func pushStep(ctx context.Context, _ io.Reader, out io.Writer, args []string) error {
	index, err := image.Load(args[0])
	if err != nil {
		return err
	}
	reference, err := image.Push(ctx, index, args[1])
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, reference)
	return err
}

func tagStep(ctx context.Context, _ io.Reader, _ io.Writer, args []string) error {
	return image.Tag(ctx, args[0], args[1:]...)
}

func actionStep(_ context.Context, _ io.Reader, _ io.Writer, args []string) error {
	data, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	if data, err = edit.Action(data, args[0]); err != nil {
		return err
	}
	return os.WriteFile(args[1], data, 0o644)
}
