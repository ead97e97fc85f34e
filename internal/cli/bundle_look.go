package cli

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/replay-gate/replay-gate/bundle"
	"github.com/replay-gate/replay-gate/gate"
	"github.com/replay-gate/replay-gate/gate/explain"
	"github.com/replay-gate/replay-gate/gate/reason"
	"github.com/replay-gate/replay-gate/summary"
	"github.com/replay-gate/replay-gate/summary/visible"
	"github.com/replay-gate/replay-gate/verify"
)

// member is one file of a bundle, as bundle ls and bundle cat print it.
type member struct {
	Name string `json:"name"`
	// Path is its place in the repository, if it has one there.
	Path     string  `json:"path,omitempty"`
	Size     int64   `json:"size"`
	SHA256   string  `json:"sha256"`
	Encoding string  `json:"encoding,omitempty"` // of Content: utf-8 or base64
	Content  *string `json:"content,omitempty"`
}

// listing is what bundle ls --json prints.
type listing struct {
	Schema   string           `json:"schema"` // replay-gate.bundle-ls/v1
	Digest   string           `json:"digest,omitempty"`
	Manifest *bundle.Manifest `json:"manifest"`
	Members  []member         `json:"members"`
	Findings []verify.Check   `json:"findings"`
}

func (a *app) bundleListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "ls <bundle>",
		Short: "List what a replay bundle holds",
		Long: `List the files of a bundle with their digests and sizes (--json: also with their
places in the repository). The bundle is a .tar.gz, an unpacked folder, or - for standard input.

Exit codes: 0 listed; 2 not a readable bundle; 3 disk.`,
		Example: `  replay-gate bundle ls .assay/bundles/2026-04-22-swiss-n30-5bbb04b2bc60.tar.gz`,
		Args:    wants("name a bundle, or - for standard input: replay-gate bundle ls x.tar.gz", "bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := a.openBundle(args[0])
			if err != nil {
				return err
			}
			defer b.Close()
			l := listing{Schema: "replay-gate.bundle-ls/v1", Digest: b.Digest, Manifest: &b.Manifest, Members: []member{}, Findings: b.Findings}
			if l.Findings == nil {
				l.Findings = []verify.Check{}
			}
			for _, e := range b.Entries {
				l.Members = append(l.Members, describe(b, e))
			}
			veilBundle(cmd.Context(), &l, b)
			if a.json {
				return a.printJSON(l)
			}
			return a.printTable(func(w io.Writer) {
				for _, m := range l.Members {
					fmt.Fprintf(w, "%s\t%d\t%s\n", m.SHA256, m.Size, visible.Line(m.Name))
				}
			})
		},
	}
}

func describe(b *bundle.Archive, e bundle.Entry) member {
	m := member{Name: e.Name, Size: e.Size, SHA256: e.SHA256}
	m.Path, _ = b.RepositoryPath(e.Name)
	return m
}

func (a *app) bundleCatCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "cat <bundle> <member>",
		Short: "Print one file of a replay bundle",
		Long: `Print one file of a bundle: "manifest.json", a name as bundle ls lists it, or a path
in the repository. Bytes go out as they are; only on a terminal is what would
move the cursor made visible.

Exit codes: 0 printed; 2 not a readable bundle, or no such file in it; 3 disk.`,
		Example: `  replay-gate bundle cat swiss.tar.gz outputs/summary.json
  replay-gate bundle cat swiss.tar.gz tokens/swiss.yml | diff - tokens/swiss.yml`,
		Args: wants("name a bundle and a file in it, as bundle ls lists them: replay-gate bundle cat x.tar.gz manifest.json", "bundle", "member"),
		RunE: func(_ *cobra.Command, args []string) error {
			b, err := a.openBundle(args[0])
			if err != nil {
				return err
			}
			defer b.Close()
			m, content, err := findMember(b, args[1])
			if err != nil {
				return err
			}
			if a.json {
				return a.printMember(m, content)
			}
			return a.copyMember(content)
		},
	}
}

// findMember finds a file of b by its name in the bundle or in the repository.
func findMember(b *bundle.Archive, name string) (member, io.Reader, error) {
	if name == "manifest.json" {
		raw := b.RawManifest()
		return member{Name: name, Size: int64(len(raw)), SHA256: bundle.Digest(raw)}, bytes.NewReader(raw), nil
	}
	if e, ok := b.Entry(name); ok {
		return describe(b, e), e.Open(), nil
	}
	for _, e := range b.Entries {
		if repo, ok := b.RepositoryPath(e.Name); ok && repo == name {
			return describe(b, e), e.Open(), nil
		}
	}
	return member{}, nil, usage("see replay-gate bundle ls", "there is no %q in the bundle", name)
}

// maxPrinted bounds a file that is printed as JSON, in bytes: escaped, it takes many
// times that in memory.
const maxPrinted = 4 << 20

func (a *app) printMember(m member, content io.Reader) error {
	if m.Size > maxPrinted {
		return &gate.Error{Exit: gate.ExitUsage, Reason: reason.Limit, Err: fmt.Errorf("%s is larger than %d MiB", m.Name, maxPrinted>>20),
			NextStep: "print it without --json"}
	}
	data, err := io.ReadAll(content)
	if err != nil {
		return gate.BundleError(err)
	}
	text := string(data)
	m.Encoding = "utf-8"
	if !utf8.Valid(data) {
		m.Encoding, text = "base64", base64.StdEncoding.EncodeToString(data)
	}
	m.Content = &text
	return a.printJSON(m)
}

// copyMember prints content: as it is to a file or a pipe, line by line and made
// visible to a terminal, which acts on what it is told.
func (a *app) copyMember(content io.Reader) error {
	f, ok := a.Out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		_, err := io.Copy(a.Out, content)
		return writing(err)
	}
	return printVisibly(a.Out, content)
}

// printVisibly prints content line by line, a very long one in parts.
func printVisibly(w io.Writer, content io.Reader) error {
	lines := bufio.NewReaderSize(content, 64<<10)
	for {
		line, part, err := lines.ReadLine()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return gate.BundleError(err)
		}
		text := visible.Line(string(line))
		if !part {
			text += "\n"
		}
		if _, err := io.WriteString(w, text); err != nil {
			return writing(err)
		}
	}
}

func (a *app) bundleDiffCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "diff <bundle> <other bundle>",
		Short: "Say how two replay bundles differ",
		Long: `Say how the second bundle differs from the first: members of the manifest, files
added, removed or changed, for inputs by their meaning, and what the recorded
verdicts say differently.

Exit codes: 0 nothing differs; 1 something does; 2 not a readable bundle; 3 disk.`,
		Example: `  replay-gate bundle diff before.tar.gz after.tar.gz`,
		Args:    wants("name two bundles: replay-gate bundle diff before.tar.gz after.tar.gz", "bundle", "other bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var both [2]*bundle.Archive
			for i, name := range args {
				b, err := a.openBundle(name)
				if err != nil {
					return err
				}
				defer b.Close()
				both[i] = b
			}
			c, err := bundle.Compare(both[0], both[1], gate.Records())
			if err != nil {
				return gate.BundleError(err)
			}
			inputs, err := inputDifferences(c, both[0], both[1])
			if err != nil {
				return err
			}
			veilBundle(cmd.Context(), c, both[:]...)
			veilBundle(cmd.Context(), &inputs, both[:]...)
			return a.printComparison(c, inputs)
		},
	}
}

// maxCompared bounds an input that is compared by meaning, in bytes.
const maxCompared = 16 << 20

// inputDifferences say what changed in the inputs that both bundles hold, by the
// name of the member: of the first maxShown, and not of a very large one.
func inputDifferences(c *bundle.Comparison, a, b *bundle.Archive) (map[string]verify.Why, error) {
	inputs := make(map[string]verify.Why)
	for _, m := range c.Members {
		if m.Op != "changed" || !strings.HasPrefix(m.Name, string(verify.PlaceInputs)+"/") {
			continue
		}
		if len(inputs) == maxShown {
			break
		}
		before, _ := a.Entry(m.Name)
		after, _ := b.Entry(m.Name)
		if max(before.Size, after.Size) > maxCompared {
			continue
		}
		var texts [2][]byte
		for i, e := range []bundle.Entry{before, after} {
			data, err := io.ReadAll(e.Open())
			if err != nil {
				return nil, gate.BundleError(err)
			}
			texts[i] = data
		}
		name, ok := a.RepositoryPath(m.Name)
		if !ok {
			name = m.Name
		}
		inputs[m.Name] = explain.Difference(texts[0], texts[1], name)
	}
	return inputs, nil
}

func (a *app) printComparison(c *bundle.Comparison, inputs map[string]verify.Why) error {
	if !c.Same() {
		a.code = gate.ExitDrift
	}
	if a.json {
		return a.printJSON(struct {
			Schema string `json:"schema"`
			Same   bool   `json:"same"`
			*bundle.Comparison
			Inputs map[string]verify.Why `json:"inputs"`
		}{"replay-gate.bundle-diff/v1", c.Same(), c, inputs})
	}
	var out bytes.Buffer
	if c.Same() {
		fmt.Fprintln(&out, "the bundles hold the same")
	}
	if c.Note != "" {
		fmt.Fprintln(&out, c.Note)
	}
	for _, m := range c.Members[:min(len(c.Members), maxShown)] {
		fmt.Fprintf(&out, "%-8s  %s\n", m.Op, visible.Line(m.Name))
		if why, ok := inputs[m.Name]; ok {
			for _, line := range summary.DifferenceLines(&why) {
				fmt.Fprintf(&out, "            %s\n", line)
			}
		}
	}
	for _, v := range c.Manifest[:min(len(c.Manifest), maxShown)] {
		fmt.Fprintf(&out, "manifest  %s: %s -> %s\n", visible.Line(v.Path), cell(v.Before), cell(v.After))
	}
	showDifferences(&out, c.Checks, "FIRST", "SECOND")
	_, err := a.Out.Write(out.Bytes())
	if !c.Same() {
		a.explain(reason.Differs, "look at a file of either with replay-gate bundle cat")
	}
	return writing(err)
}

// printJSON prints a result of its own kind.
func (a *app) printJSON(v any) error {
	data, err := encodeJSON(v)
	if err == nil {
		_, err = a.Out.Write(data)
	}
	return writing(err)
}

// printTable prints rows, whose cells end in tabs.
func (a *app) printTable(rows func(w io.Writer)) error {
	t := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	rows(t)
	return writing(t.Flush())
}
