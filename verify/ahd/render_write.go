package ahd

import (
	"bytes"
	"errors"
	"strings"
)

// Errors of [ReplaceBlock] about the report.
var (
	ErrNoBlock   = errors.New("the report has no replay block")
	ErrOpenBlock = errors.New("the report's replay block is not closed")
)

// ReplaceBlock returns report with its derived block, and the commands right
// behind it if they are there, as the sidecar says they are. Every other byte stays, and
// the block keeps the report's line ends.
func ReplaceBlock(report, sidecar []byte) ([]byte, error) {
	block, err := RenderBlock(sidecar)
	if err != nil {
		return nil, err
	}
	at, closed := findBlock(report)
	switch {
	case at.line == 0:
		return nil, ErrNoBlock
	case !closed:
		return nil, ErrOpenBlock
	}
	from, to := commandsBehind(report[at.to:])
	var commands string
	if to > 0 {
		if commands, err = RenderCommands(sidecar); err != nil {
			return nil, err
		}
	}
	opening, _, _ := bytes.Cut(report[at.from:], []byte("\n"))
	asIs := func(text string, end int) string {
		if bytes.HasSuffix(opening, []byte("\r")) {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if !bytes.HasSuffix(report[:end], []byte("\n")) { // the report ends with the fence
			text = strings.TrimRight(text, "\r\n")
		}
		return text
	}
	var out bytes.Buffer
	out.Write(report[:at.from])
	out.WriteString(asIs(block, at.to))
	rest := report[at.to:]
	if to > 0 {
		out.Write(rest[:from])
		out.WriteString(asIs(commands, at.to+to))
		rest = rest[to:]
	}
	out.Write(rest)
	return out.Bytes(), nil
}

// commandsBehind finds the commands at the start of text, blank lines apart; to
// is 0 when something else stands there.
func commandsBehind(text []byte) (from, to int) {
	start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	from = bytes.LastIndexByte(text[:start], '\n') + 1
	step := 0
	for end := from; end < len(text); {
		line, _, _ := bytes.Cut(text[end:], []byte("\n"))
		end = min(end+len(line)+1, len(text))
		switch s := string(bytes.TrimRight(line, " \t\r")); {
		case step == 0 && s == commandsIntro, step == 1 && s == "```sh":
			step++
		case step == 1 && s == "":
		case step == 2 && s == "```":
			return from, end
		case step != 2:
			return 0, 0
		}
	}
	return 0, 0
}
