package jsondoc

import "bytes"

// Outline lists the names of the members of a JSON object, without a look at their
// values; of an array, those of each of its first few elements, each in a list of its
// own. It is for telling what a text is, however damaged: it takes what it can from a
// text that breaks off, starts with a byte order mark, or holds conflict markers. Names
// are as they are spelt, escapes and all.
func Outline(data []byte, elements int) [][]string {
	var o outline
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '"':
			i = o.text(data, i+1)
		case '{', '[':
			if o.depth == 0 && !o.open {
				o.open, o.list = true, c == '['
			}
			o.depth++
			if c == '{' && o.depth == o.level() {
				if len(o.names) == elements {
					return o.names
				}
				o.names = append(o.names, nil)
			}
		case '}', ']':
			o.depth = max(1, o.depth-1) // what a merge left over closes nothing
		}
	}
	return o.names
}

type outline struct {
	open, list bool // the first bracket was read; it was that of an array
	depth      int
	names      [][]string
}

// level is the depth at which the names are.
func (o *outline) level() int {
	if o.list {
		return 2
	}
	return 1
}

// text takes the string that starts at data[i], and gives the place of its end. A line
// ends it as well: no string of JSON has one in it.
func (o *outline) text(data []byte, i int) int {
	start := i
	for ; i < len(data); i++ {
		if data[i] == '\\' {
			i++
		} else if data[i] == '"' || data[i] == '\n' {
			break
		}
	}
	if i >= len(data) || o.depth != o.level() || len(o.names) == 0 || data[i] != '"' {
		return i
	}
	if rest := bytes.TrimLeft(data[i+1:min(len(data), i+64)], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
		last := len(o.names) - 1
		o.names[last] = append(o.names[last], string(data[start:i]))
	}
	return i
}
