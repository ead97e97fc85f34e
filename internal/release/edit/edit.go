// Package edit makes the texts of a release: action.yml with the image's digest in
// it, and the part of the changelog that is about one version.
//
//	action, err = edit.Action(action, "ghcr.io/replay-gate/replay-gate@sha256:…")
//	notes, err := edit.Notes(changelog, "v1.2.3")
//
// It changes nothing but what it is asked to change, so that the release commit is
// one line that a person can read.
package edit

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// imageLine is how action.yml asks for a build of the Dockerfile on main. A line is
// replaced, and not a parsed document: comments and quotes stay as they are.
var imageLine = regexp.MustCompile(`(?m)^  image: Dockerfile$`)

// pinned is a reference that always leads to the same bytes. ghcr.io takes lower-case
// names only, as the OCI distribution specification asks.
var pinned = regexp.MustCompile(`^[a-z0-9.:-]+(/[a-z0-9._-]+)+@sha256:[0-9a-f]{64}$`)

// Action makes action.yml pull the image instead of building it.
func Action(action []byte, image string) ([]byte, error) {
	if !pinned.MatchString(image) {
		return nil, fmt.Errorf("%q is no image with a digest", image)
	}
	if n := len(imageLine.FindAllIndex(action, -1)); n != 1 {
		return nil, fmt.Errorf("action.yml has %d lines %q, want 1: it must be that of main", n, "  image: Dockerfile")
	}
	// The value holds a colon, which YAML takes for a key only before a blank.
	return imageLine.ReplaceAllLiteral(action, []byte("  image: docker://"+image)), nil
}

// Notes is the text below the changelog's heading of the version, which is
// "## v1.2.3" and may be followed by a date: "## v1.2.3 (2026-12-01)". A release
// without one is refused: nobody has said what is in it.
func Notes(changelog []byte, tag string) ([]byte, error) {
	if _, err := parse(tag); err != nil {
		return nil, err
	}
	var notes bytes.Buffer
	inside, found := false, false
	for line := range bytes.Lines(changelog) {
		if heading, ok := strings.CutPrefix(string(line), "## "); ok {
			name, _, _ := strings.Cut(strings.TrimSpace(heading), " ")
			if inside = name == tag; inside && found {
				return nil, fmt.Errorf("the changelog has two sections %s", tag)
			}
			found = found || inside
			continue
		}
		if inside {
			notes.Write(line)
		}
	}
	if !found {
		return nil, fmt.Errorf("the changelog has no section %q", "## "+tag)
	}
	text := bytes.TrimSpace(notes.Bytes())
	if len(text) == 0 {
		return nil, errors.New("the changelog says nothing below ## " + tag)
	}
	return append(text, '\n'), nil
}
