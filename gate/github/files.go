package github

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

var (
	// ErrNoFile: the runner gave no file for this, or it is gone; as in a run
	// that only sets GITHUB_ACTIONS.
	ErrNoFile = errors.New("the runner gave no file for it")
	// ErrSummaryTooLarge: with this text the step summary would be over its
	// limit, and GitHub would show none of it.
	ErrSummaryTooLarge = errors.New("step summary over 1 MiB")
)

// MaxSummary is the most that a step summary may hold, in bytes and in total.
// GitHub drops a larger one whole.
const MaxSummary = 1 << 20

var outputName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,99}$`)

// SetOutputs sets outputs of the step, in order: pairs of name and value. No
// value can end early or set another output, because the line that ends it is
// random and in none of them.
//
// (The library writes a fixed line, so that a value which holds that line sets
// outputs of its own; it also panics when there is no file.)
func (a *Actions) SetOutputs(kv [][2]string) error {
	var b strings.Builder
	for _, pair := range kv {
		name, value := pair[0], pair[1]
		if !outputName.MatchString(name) {
			return fmt.Errorf("setting outputs: %q is no name for one", name)
		}
		end := "end-" + rand.Text()
		for strings.Contains(value, end) {
			end = "end-" + rand.Text()
		}
		b.WriteString(name + "<<" + end + "\n" + value + "\n" + end + "\n")
	}
	if err := a.appendTo("GITHUB_OUTPUT", b.String(), 0); err != nil {
		return fmt.Errorf("setting outputs: %w", err)
	}
	return nil
}

// AddSummary appends markdown to the step summary. It refuses with
// [ErrSummaryTooLarge], and writes nothing, when the whole would be over
// [MaxSummary].
func (a *Actions) AddSummary(markdown string) error {
	if !strings.HasSuffix(markdown, "\n") {
		markdown += "\n"
	}
	if err := a.appendTo("GITHUB_STEP_SUMMARY", markdown, MaxSummary); err != nil {
		return fmt.Errorf("adding to the step summary: %w", err)
	}
	return nil
}

// appendTo appends text to the file that an environment variable names, on a
// line of its own. A limit of 0 is none.
func (a *Actions) appendTo(variable, text string, limit int64) error {
	name := a.env(variable)
	if name == "" {
		return fmt.Errorf("%s is not set: %w", variable, ErrNoFile)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", variable, ErrNoFile)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if size := info.Size(); size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			text = "\n" + text
		}
	}
	if total := info.Size() + int64(len(text)); limit > 0 && total > limit {
		return fmt.Errorf("%d bytes: %w", total, ErrSummaryTooLarge)
	}
	if _, err := f.WriteString(text); err != nil {
		return err
	}
	return f.Close()
}
