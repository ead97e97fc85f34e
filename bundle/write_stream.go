package bundle

import (
	"bufio"
	"io"
	"os"
)

// WriteStream is [WriteFile] for what comes piece by piece, and may be too large to be held. A
// file that is already what would be written is left alone here, too.
func WriteStream(root *os.Root, name string, content func(w io.Writer) error) error {
	s, err := place(root, name)
	if err != nil {
		return err
	}
	f, err := standing(root, s.name, -1)
	if err != nil {
		return err
	}
	same := &comparison{}
	if f != nil {
		defer f.Close()
		same.with = bufio.NewReader(f)
	}
	err = s.write(func(w io.Writer) error {
		buffered := bufio.NewWriterSize(io.MultiWriter(w, same), 1<<16)
		if err := content(buffered); err != nil {
			return err
		}
		return buffered.Flush()
	})
	if err == nil && same.ended() {
		s.Discard()
	}
	if err != nil {
		return err
	}
	return s.Commit()
}

// comparison holds what is written against what a file has.
type comparison struct{ with *bufio.Reader } // nil once they differ

func (c *comparison) Write(p []byte) (int, error) {
	for _, b := range p {
		if c.with == nil {
			break
		}
		if was, err := c.with.ReadByte(); err != nil || was != b {
			c.with = nil
		}
	}
	return len(p), nil
}

// ended reports whether the file has no more than was written.
func (c *comparison) ended() bool {
	if c.with == nil {
		return false
	}
	_, err := c.with.ReadByte()
	return err == io.EOF
}
