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
	file *os.File // nil for none
	said map[string]bool
}

// resume reads what stands in the file and opens it for more; an empty name is no file.
func resume(name string) (*state, error) {
	s := &state{said: make(map[string]bool)}
	if name == "" {
		return s, nil
	}
	text, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		s.said[strings.TrimSuffix(line, "\n")] = true
	}
	s.file, err = os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return s, err
}

func line(word, suite string, m *point) string { return fmt.Sprintf("%s %s %s", word, suite, m.name()) }

// noticed and survived report what an earlier run said of a mutant in a suite.
func (s *state) noticed(suite string, m *point) bool { return s.said[line("noticed", suite, m)] }

func (s *state) survived(suite string, m *point) bool { return s.said[line("survived", suite, m)] }

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
