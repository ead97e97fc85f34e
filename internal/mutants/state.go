package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

// state is what became of mutants, in a file, for a run that goes on where another was cut
// off. Each line is "noticed" or "survived", the suite, and the name of the mutant.
type state struct {
	mu   sync.Mutex
	file *os.File        // nil for none
	by   map[string]bool // the names of those that a suite noticed
	past map[string]bool // the lines about what survived
}

// resume reads what stands in the file and opens it for more; an empty name is no file.
func resume(name string) (*state, error) {
	s := &state{by: make(map[string]bool), past: make(map[string]bool)}
	if name == "" {
		return s, nil
	}
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if words := strings.SplitN(line, " ", 3); len(words) == 3 && words[0] == "noticed" {
			s.by[words[2]] = true
		}
		s.past[line] = true
	}
	s.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return s, err
}

func line(word, suite string, m *point) string { return fmt.Sprintf("%s %s %s", word, suite, m.name()) }

// noticed reports whether any suite noticed a mutant in an earlier run, and survived whether
// one did not.
func (s *state) noticed(m *point) bool { return s.by[m.name()] }

func (s *state) survived(suite string, m *point) bool { return s.past[line("survived", suite, m)] }

func (s *state) say(suite string, m *point, noticed bool) error {
	if s.file == nil {
		return nil
	}
	word := "survived"
	if noticed {
		word = "noticed"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := fmt.Fprintln(s.file, line(word, suite, m))
	return err
}
