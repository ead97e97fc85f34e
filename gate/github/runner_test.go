package github

// The runner's side, re-implemented from its source (actions/runner,
// src/Runner.Common/ActionCommand.cs and
// src/Runner.Worker/FileCommandManager.cs): what a step's log and files mean to
// it.

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// command names that the runner has registered.
var registered = map[string]bool{
	"add-mask": true, "add-matcher": true, "add-path": true, "debug": true, "echo": true, "endgroup": true,
	"error": true, "group": true, "notice": true, "remove-matcher": true, "save-state": true, "set-env": true,
	"set-output": true, "stop-commands": true, "warning": true,
}

type runnerCommand struct {
	name, data string
	props      map[string]string
	legacy     bool // the ##[...] syntax
}

// runnerLines splits a log as .NET's StreamReader.ReadLine does.
func runnerLines(log string) []string {
	return regexp.MustCompile("\r\n|\r|\n").Split(log, -1)
}

// parseLog returns the commands that the runner finds in a log. Comparisons by
// culture skip ignorable characters, so every line is also read without them.
func parseLog(log string) []runnerCommand {
	var found []runnerCommand
	for _, line := range runnerLines(log) {
		if c, ok := parseLine(line); ok {
			found = append(found, c)
		} else if c, ok := parseLine(withoutIgnorable(line)); ok {
			found = append(found, c)
		}
	}
	return found
}

func withoutIgnorable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && (unicode.In(r, unicode.C, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)) {
			return -1
		}
		return r
	}, s)
}

func parseLine(line string) (runnerCommand, bool) {
	if c, ok := parseV2(line); ok {
		return c, true
	}
	return parseV1(line)
}

func parseV2(line string) (runnerCommand, bool) {
	line = strings.TrimLeftFunc(line, unicode.IsSpace)
	rest, ok := strings.CutPrefix(line, "::")
	if !ok {
		return runnerCommand{}, false
	}
	info, data, ok := strings.Cut(rest, "::")
	if !ok {
		return runnerCommand{}, false
	}
	name, props, _ := strings.Cut(info, " ")
	return runnerCommand{
		name: name, data: unescape(data, "\r", "\n"),
		props: parseProps(strings.TrimSpace(props), ",", "\r", "\n", ":", ","),
	}, registered[name]
}

func parseV1(line string) (runnerCommand, bool) {
	_, rest, ok := strings.Cut(line, "##[")
	if !ok {
		return runnerCommand{}, false
	}
	info, data, ok := strings.Cut(rest, "]")
	if !ok {
		return runnerCommand{}, false
	}
	name, props, _ := strings.Cut(info, " ")
	return runnerCommand{
		name: name, data: unescape(data, ";", "\r", "\n", "]"), legacy: true,
		props: parseProps(props, ";", ";", "\r", "\n", "]"),
	}, registered[name]
}

func parseProps(s, separator string, tokens ...string) map[string]string {
	props := make(map[string]string)
	for _, pair := range strings.Split(s, separator) {
		if k, v, _ := strings.Cut(strings.TrimLeft(pair, "="), "="); k != "" && v != "" {
			props[k] = unescape(v, tokens...)
		}
	}
	return props
}

// unescape replaces %XX of the tokens in order, and %25 last.
func unescape(s string, tokens ...string) string {
	for _, t := range append(tokens, "%") {
		s = strings.ReplaceAll(s, fmt.Sprintf("%%%02X", t[0]), t)
	}
	return s
}

// parseFile reads GITHUB_OUTPUT as the runner does on Linux.
func parseFile(text string) ([][2]string, error) {
	var pairs [][2]string
	readLine := func() (string, bool) {
		if text == "" {
			return "", false
		}
		var line string
		line, text, _ = strings.Cut(text, "\n")
		return line, true
	}
	for {
		line, ok := readLine()
		if !ok {
			return pairs, nil
		}
		if line == "" {
			continue
		}
		eq, doc := strings.Index(line, "="), strings.Index(line, "<<")
		switch {
		case eq >= 0 && (doc < 0 || eq < doc):
			pairs = append(pairs, [2]string{line[:eq], line[eq+1:]})
		case doc >= 0:
			name, delimiter := line[:doc], line[doc+2:]
			if name == "" || delimiter == "" {
				return nil, fmt.Errorf("invalid format %q", line)
			}
			var value []string
			for {
				l, ok := readLine()
				if !ok {
					return nil, fmt.Errorf("matching delimiter not found %q", delimiter)
				}
				if l == delimiter {
					break
				}
				value = append(value, l)
			}
			pairs = append(pairs, [2]string{name, strings.Join(value, "\n")})
		default:
			return nil, fmt.Errorf("invalid format %q", line)
		}
	}
}
