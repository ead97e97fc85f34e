package bundle

import (
	"fmt"
	"io"
)

const (
	block       = 512
	maxTarName  = 100 // the name field of a header
	longName    = 'L' // GNU: the data is the name of the next entry
	longNameTag = "././@LongLink"
)

// writeTar writes the manifest and then the entries, which must be sorted, byte
// for byte as Assay's writer does: GNU headers in the form that Rust's tar crate
// gives them, and two zero blocks at the end. A name of more than 100 bytes,
// which that writer refuses and its reader takes, has a GNU long-name record.
func writeTar(w io.Writer, manifest []byte, entries []Entry) error {
	if err := writeMember(w, manifestName, manifest); err != nil {
		return err
	}
	for _, e := range entries {
		data, err := e.bytes()
		if err != nil {
			return err
		}
		if err := writeMember(w, e.Name, data); err != nil {
			return err
		}
	}
	_, err := w.Write(make([]byte, 2*block))
	return err
}

func writeMember(w io.Writer, name string, data []byte) error {
	if len(name) > maxTarName {
		if err := writeBlocks(w, tarHeader(longNameTag, len(name)+1, longName), append([]byte(name), 0)); err != nil {
			return err
		}
		name = name[:maxTarName]
	}
	return writeBlocks(w, tarHeader(name, len(data), 0), data)
}

func writeBlocks(w io.Writer, header *[block]byte, data []byte) error {
	if _, err := w.Write(header[:]); err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	_, err := w.Write(make([]byte, (block-len(data)%block)%block))
	return err
}

// tarHeader is one header. archive/tar can't write it: its checksum has six
// digits, its type flag is '0', and its device numbers are not empty.
func tarHeader(name string, size int, typeflag byte) *[block]byte {
	var h [block]byte
	copy(h[:maxTarName], name)
	copy(h[100:], fmt.Sprintf("%07o", entryMode))
	copy(h[108:], "0000000") // uid
	copy(h[116:], "0000000") // gid
	copy(h[124:], fmt.Sprintf("%011o", size))
	copy(h[136:], "00000000000") // mtime
	h[156] = typeflag
	copy(h[257:], "ustar  ")
	sum := 8 * int(' ') // the checksum counts its own field as spaces
	for _, c := range h {
		sum += int(c)
	}
	copy(h[148:], fmt.Sprintf("%07o", sum))
	return &h
}
