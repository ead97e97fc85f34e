package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/replay-gate/replay-gate/verify"
)

// Two verdicts say the same when all but the hints of each row is the same, in whatever
// order, and the evidence and what was not checked.
func TestDiffering(t *testing.T) {
	t.Parallel()
	one := verify.Check{
		Field: "a", Status: verify.OK, Code: "c", Reason: "r", Recorded: "1", Observed: "2", Hint: "h", Input: "i",
		Location: verify.Location{Path: "p", Line: 1},
	}
	two := verify.Check{Field: "b", Status: verify.Warn}
	result := func(rows ...verify.Check) verify.Result { return verify.Result{SHA256: "s", Checks: rows} }
	with := func(change func(*verify.Check)) verify.Result {
		row := one
		change(&row)
		return result(row, two)
	}
	for _, tc := range []struct {
		name string
		now  verify.Result
		want []string
	}{
		{"the same", result(one, two), nil},
		{"in another order", result(two, one), nil},
		{"another hint", with(func(c *verify.Check) { c.Hint = "x" }), nil},
		{"another field", with(func(c *verify.Check) { c.Field = "x" }), []string{"", "a"}},
		{"another status", with(func(c *verify.Check) { c.Status = verify.Fail }), []string{"a"}},
		{"another code", with(func(c *verify.Check) { c.Code = "x" }), []string{"a"}},
		{"another reason", with(func(c *verify.Check) { c.Reason = "x" }), []string{"a"}},
		{"another recorded value", with(func(c *verify.Check) { c.Recorded = "x" }), []string{"a"}},
		{"another observed value", with(func(c *verify.Check) { c.Observed = "x" }), []string{"a"}},
		{"another input", with(func(c *verify.Check) { c.Input = "x" }), []string{"a"}},
		{"another place", with(func(c *verify.Check) { c.Location.Line = 2 }), []string{"a"}},
		{"a row less", result(one), []string{"b"}},
		{"a row more", result(one, two, two), []string{""}},
		{"unchecked", verify.Result{SHA256: "s", Unchecked: "x", Checks: []verify.Check{one, two}}, []string{""}},
		{"other evidence", verify.Result{SHA256: "x", Checks: []verify.Check{one, two}}, []string{""}},
	} {
		was := result(one, two)
		if got := slices.Sorted(maps.Keys(differing(&was, &tc.now))); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// broken is a tree that some files can't be had of.
type broken struct {
	fstest.MapFS
	lost string
}

func (b broken) Open(name string) (fs.File, error) {
	if name == b.lost {
		return nil, errors.New("git lacks the object")
	}
	return b.MapFS.Open(name)
}

func (b broken) Stat(name string) (fs.FileInfo, error) {
	if name == b.lost {
		return nil, errors.New("git lacks the object")
	}
	return b.MapFS.Stat(name)
}

// The part of the base holds what differs there and names what is absent; with the tree it
// makes the base again, file by file.
func TestBaseOfABundle(t *testing.T) {
	t.Parallel()
	files, was := fixtureFiles(), fixtureFiles()
	files["x/same"], was["x/same"] = &fstest.MapFile{Data: []byte("same")}, &fstest.MapFile{Data: []byte("same")}
	files["x/new"] = &fstest.MapFile{Data: []byte("new")}
	was["x/gone"] = &fstest.MapFile{Data: []byte("gone")}
	files["x/changed"], was["x/changed"] = &fstest.MapFile{Data: []byte("now")}, &fstest.MapFile{Data: []byte("then")}
	files["x/folder"], was["x/folder/y"] = &fstest.MapFile{Data: []byte("file")}, &fstest.MapFile{}
	files["x/lost"] = &fstest.MapFile{Data: []byte("here")}
	was["x/key"] = &fstest.MapFile{Data: []byte("Authorization: Bearer abcdefghijklmnop0123456789\n")}
	was["x/large"] = &fstest.MapFile{Data: make([]byte, maxContent)}
	files[tokenPath].Data = []byte("name: swiss\ngrid: 8\n")
	base := verify.NewTree(broken{was, "x/lost"})
	names := []string{"x/same", "x/new", "x/gone", "x/changed", "x/folder", "x/lost", "x/key", "x/large", "x/nowhere", tokenPath, briefPath, "x/same"}
	src := fixtureSource(files)
	src.Base = &BaseSource{Commit: strings.Repeat("cd", 20), Tree: base, Names: names, Renamed: map[string]string{"x/new": "x/gone", "x/other": "y"}}
	b := mustBuild(t, src)
	g := b.Manifest.ReplayGate.Base
	if g.Commit != src.Base.Commit || !slices.Equal(g.Absent, []string{"x/new"}) || len(g.Renamed) != 1 || g.Renamed["x/new"] != "x/gone" ||
		len(g.Unreadable) != 1 || g.Unreadable["x/folder"] != "is a folder" {
		t.Errorf("%+v", g)
	}
	var got []string
	for _, e := range b.Entries {
		if rest, ok := strings.CutPrefix(e.Name, placeBase+"/"); ok {
			got = append(got, rest)
		}
	}
	if want := []string{tokenPath, "x/changed", "x/gone"}; !slices.Equal(got, want) {
		t.Errorf("of the base: %q, want %q", got, want)
	}
	if b.BaseCommit() != src.Base.Commit {
		t.Error(b.BaseCommit())
	}
	a := mustRead(t, b.Bytes())
	again, now := verify.NewTree(a.BaseFS()), verify.NewTree(a.FS())
	for _, name := range names {
		if name == "x/lost" || name == "x/key" || name == "x/large" {
			continue // left out
		}
		want, err := base.ReadFile(name, verify.MaxInput)
		data, err2 := again.ReadFile(name, verify.MaxInput)
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() || !bytes.Equal(data, want) {
			t.Errorf("%s of the base: %q, %v; want %q, %v", name, data, err2, want, err)
		}
		want, err = src.Tree.ReadFile(name, verify.MaxInput)
		if data, err2 = now.ReadFile(name, verify.MaxInput); (err == nil) != (err2 == nil) || !bytes.Equal(data, want) {
			t.Errorf("%s: %q, %v; want %q, %v", name, data, err2, want, err)
		}
	}
	if mustRead(t, mustBuild(t, fixtureSource(files)).Bytes()).BaseFS() != nil {
		t.Error("a bundle without a base has one")
	}
}

// wide is a kind whose verdict rests on more than it names: listings, a file that is no
// input, a folder in a file's place.
type wide struct{ pins }

func (wide) Verify(_ context.Context, e *verify.Evidence) verify.Result {
	data, err := e.Tree.ReadFile(e.Path, verify.MaxEvidence)
	if err != nil {
		return verify.Result{Unchecked: err.Error()}
	}
	rows := verify.Rows{Path: e.Path}
	rows.OK("named", verify.Spot{}, "").Observed = strings.Join(e.Tree.Named("x.txt"), " ")
	rows.OK("under", verify.Spot{}, "").Observed = strings.Join(e.Tree.Under("d"), " ")
	for _, name := range []string{"hidden", "folder", "nowhere", "d/x.txt", "key", "large"} {
		text, err := e.Tree.ReadFile(name, 3<<20)
		rows.OK("file."+name, verify.Spot{}, fmt.Sprint(err)).Observed = digest(text)
	}
	in := verify.Input{Role: "pin", Path: "folder", Place: verify.PlaceInputs}
	return verify.Result{SHA256: digest(data), Checks: rows.Checks, Inputs: []verify.Input{in}}
}

// What the judgement read goes in where the inputs alone do not give the verdict, and the
// rows that even then come out otherwise are said to be incomplete.
func TestProof(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{
		pinsPath: {Data: []byte("x\n")}, "hidden": {Data: []byte("h")}, "folder/y": {}, "d/x.txt": {Data: []byte("1")}, "d/z": {}, "e/x.txt": {},
		"large": {Data: make([]byte, 3<<20+1)},
	}
	build := func(files fstest.MapFS, change func(*Source)) (*Bundle, error) {
		tree := verify.NewTree(files)
		src := Source{Result: verify.Engine{}.Verify(t.Context(), tree, []verify.Item{{Path: pinsPath, Format: wide{}}})[0], Tree: tree}
		src.Judge = func(a *Archive) (verify.Result, error) {
			return verify.Engine{}.Verify(t.Context(), verify.NewTree(a.FS()), []verify.Item{{Path: pinsPath, Format: wide{}}})[0], nil
		}
		if change != nil {
			change(&src)
		}
		return Build(src)
	}
	names := func(b *Bundle) (all []string) {
		for _, e := range b.Entries {
			if rest, ok := strings.CutPrefix(e.Name, "files/inputs/"); ok {
				all = append(all, rest)
			}
		}
		return all
	}
	b, err := build(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := b.Manifest.ReplayGate
	if got := names(b); !slices.Equal(got, []string{"d/x.txt", "hidden"}) || !slices.Equal(g.Listed, []string{"d/z", "e/x.txt"}) ||
		len(g.Unreadable) != 2 || g.Unreadable["folder"] != "is a folder" || !strings.HasPrefix(g.Unreadable["large"], "is larger than") {
		t.Errorf("%q, listed %q, unreadable %q", got, g.Listed, g.Unreadable)
	}
	if c := b.Manifest.Coverage; len(c.Incomplete) > 0 || len(c.Complete) != 8 {
		t.Errorf("%+v", c)
	}
	// Without a judge nothing is proven, and a verdict that the engine did not note reads of
	// can't be proven.
	if b, err = build(files, func(s *Source) { s.Judge = nil }); err != nil || len(names(b)) > 0 || len(b.Manifest.Coverage.Incomplete) > 0 {
		t.Errorf("%q, %+v, %v", names(b), b.Manifest.Coverage, err)
	}
	if b, err = build(files, func(s *Source) { s.Result.Reads = nil }); err != nil || len(names(b)) > 0 || len(b.Manifest.Coverage.Incomplete) != 7 {
		t.Errorf("%q, %+v, %v", names(b), b.Manifest.Coverage, err)
	}
	if _, err = build(files, func(s *Source) {
		s.Judge = func(*Archive) (verify.Result, error) { return verify.Result{}, context.Canceled }
	}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// What was read and can't go in is why a row is not replayed.
	files["hidden"] = &fstest.MapFile{Data: []byte("the bearer of-this says so")}
	b, err = build(files, nil)
	if err != nil || !slices.Equal(b.Manifest.Coverage.Incomplete, []string{"file.hidden"}) || !strings.HasPrefix(b.Manifest.Coverage.Reason["file.hidden"], notReplayed+": hidden was left out") {
		t.Errorf("%+v, %v", b.Manifest.Coverage, err)
	}
	files["hidden"] = &fstest.MapFile{Data: []byte("h")}
	// What looks like a secret refuses the bundle, wherever it was met.
	files["key"] = &fstest.MapFile{Data: []byte("Authorization: Bearer abcdefghijklmnop0123456789\n")}
	var secret *SecretsError
	if _, err = build(files, nil); !errors.As(err, &secret) || secret.Path != "key" {
		t.Error(err)
	}
	delete(files, "key")
	// A listing of a whole repository is no part of a bundle.
	for i := range maxListed {
		files[fmt.Sprintf("d/%04d", i)] = &fstest.MapFile{}
	}
	if b, err = build(files, nil); err != nil || len(b.Manifest.ReplayGate.Listed) != 1 || !slices.Equal(b.Manifest.Coverage.Incomplete, []string{"under"}) {
		t.Errorf("%d listed, %+v, %v", len(b.Manifest.ReplayGate.Listed), b.Manifest.Coverage, err)
	}
}

// Other evidence that rows rest on goes in, sorted and bounded; what can't is said.
func TestPeers(t *testing.T) {
	t.Parallel()
	files := fixtureFiles()
	peers := []string{tokenPath, "nowhere"}
	for i := range maxPeers {
		name := fmt.Sprintf("p/%02d", i)
		files[name] = &fstest.MapFile{Data: []byte(name)}
		peers = append(peers, name)
	}
	src := fixtureSource(files)
	src.Peers = peers
	b := mustBuild(t, src)
	got := b.Manifest.ReplayGate.Peers
	if len(got) != maxPeers || got[0] != "p/00" || got[maxPeers-1] != "p/49" {
		t.Errorf("%d: %q", len(got), got)
	}
	src.Peers = peers[:4]
	b = mustBuild(t, src)
	if got := b.Manifest.ReplayGate.Peers; !slices.Equal(got, []string{"p/00", "p/01", tokenPath}) {
		t.Errorf("%q", got)
	}
	if _, ok := b.Manifest.Files["files/inputs/p/00"]; !ok || len(b.Manifest.Coverage.Incomplete) > 0 {
		t.Errorf("%+v", b.Manifest.Coverage)
	}
	files["p/00"].Data = []byte("Authorization: Bearer abcdefghijklmnop0123456789\n")
	src.Tree = verify.NewTree(files)
	var secret *SecretsError
	if _, err := Build(src); !errors.As(err, &secret) {
		t.Error(err)
	}
}
