package github

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// The framing of git's protocol (gitprotocol-common(5), gitprotocol-v2(5)): each
// line begins with its length in four hex digits, and lengths below four are
// marks.

// pktMark is what a line is.
type pktMark int

const (
	pktData   pktMark = iota
	pktFlush          // 0000: the end of a message
	pktDelim          // 0001: the end of a section
	pktEnd            // 0002: the end of a reply
	maxPkt    = 65520 // bytes of one line, its length included
	pktPrefix = 4
)

// errNoProtocol: what came is no message of git's protocol.
var errNoProtocol = errors.New("the answer is not git's protocol, version 2")

// pktReader reads lines. What it returns is overwritten by the next call.
type pktReader struct {
	r   io.Reader
	buf [maxPkt]byte
}

// next returns the next line. One in which the server reports an error is that error.
func (p *pktReader) next() ([]byte, pktMark, error) {
	head := p.buf[:pktPrefix]
	if _, err := io.ReadFull(p.r, head); err != nil {
		return nil, 0, brokenOff(err)
	}
	length, err := strconv.ParseUint(string(head), 16, 16)
	if err != nil || length > maxPkt || length == 3 {
		return nil, 0, errNoProtocol
	}
	if length < pktPrefix {
		return nil, [...]pktMark{pktFlush, pktDelim, pktEnd}[length], nil
	}
	line := p.buf[:length-pktPrefix]
	if _, err := io.ReadFull(p.r, line); err != nil {
		return nil, 0, brokenOff(err)
	}
	if text, ok := bytes.CutPrefix(line, []byte("ERR ")); ok {
		return nil, 0, serverError(string(text))
	}
	return line, pktData, nil
}

// text is next for a line of text, without its line end.
func (p *pktReader) text() (string, pktMark, error) {
	line, mark, err := p.next()
	return string(bytes.TrimSuffix(line, []byte{'\n'})), mark, err
}

// brokenOff says that an answer ends in its midst.
func brokenOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errBrokenOff
	}
	return err
}

var errBrokenOff = errors.New("the answer breaks off")

// serverError is an error in the server's own words.
func serverError(text string) error {
	text = cut(oneLine(text), 300)
	if notOurs.MatchString(text) {
		return &gitRefusal{fmt.Errorf("%w (%s)", ErrNoSuchCommit, text)}
	}
	return &gitRefusal{fmt.Errorf("the server refuses: %s", text)}
}

// gitRefusal is the server's answer: to ask again would not change it.
type gitRefusal struct{ err error }

func (r *gitRefusal) Error() string { return r.err.Error() }
func (r *gitRefusal) Unwrap() error { return r.err }

// writePkt adds a line of text to a message.
func writePkt(b *bytes.Buffer, format string, args ...any) {
	line := fmt.Sprintf(format, args...) + "\n"
	fmt.Fprintf(b, "%04x%s", len(line)+pktPrefix, line)
}
