package repo

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// pack is one pack with its index of version 2 (gitformat-pack(5)).
type pack struct {
	file  *os.File
	index []byte
	count int // of objects
}

var errNotRead = errors.New("no pack or object that is read here")

// The parts of an index of version 2, in bytes.
const (
	idxHeader = 8
	idxFanout = 256 * 4
	idxNames  = idxHeader + idxFanout
	idxEntry  = 20 + 4 + 4 // name, CRC32, offset
)

// openPack opens the pack that belongs to an index.
func openPack(name string) (*pack, error) {
	index, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(index) < idxNames || !bytes.Equal(index[:idxHeader], []byte("\xfftOc\x00\x00\x00\x02")) {
		return nil, errNotRead
	}
	k := &pack{index: index, count: int(binary.BigEndian.Uint32(index[idxNames-4:]))}
	if len(index) < idxNames+k.count*idxEntry {
		return nil, errNotRead
	}
	if k.file, err = os.Open(strings.TrimSuffix(name, ".idx") + ".pack"); err != nil {
		return nil, err
	}
	var head [8]byte
	if _, err := k.file.ReadAt(head[:], 0); err != nil || string(head[:]) != "PACK\x00\x00\x00\x02" {
		k.file.Close()
		return nil, errNotRead
	}
	return k, nil
}

func (k *pack) word(at int) uint32 { return binary.BigEndian.Uint32(k.index[at:]) }

// find returns where an object begins.
func (k *pack) find(id plumbing.Hash) (int64, bool) {
	lo, hi := 0, int(k.word(idxHeader+4*int(id[0])))
	if id[0] > 0 {
		lo = int(k.word(idxHeader + 4*int(id[0]) - 4))
	}
	for hi = min(hi, k.count); lo < hi; {
		mid := (lo + hi) / 2
		switch order := bytes.Compare(k.index[idxNames+20*mid:][:20], id[:]); {
		case order < 0:
			lo = mid + 1
		case order > 0:
			hi = mid
		default:
			return k.offset(mid)
		}
	}
	return 0, false
}

// offset is that of the object at a place of the index. Those behind 2 GiB stand in a table of
// their own.
func (k *pack) offset(i int) (int64, bool) {
	at := k.word(idxNames + 24*k.count + 4*i)
	if at>>31 == 0 {
		return int64(at), true
	}
	far := idxNames + idxEntry*k.count + 8*int(at&^(1<<31))
	if far+8 > len(k.index) {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(k.index[far:])), true
}

// maxChain bounds the deltas that lead to one object. git makes at most 4095 of them.
const maxChain = 4096

// object returns the object that begins at a place, of at most limit bytes.
func (k *pack) object(at, limit int64, bases *baseCache) (plumbing.ObjectType, []byte, error) {
	type step struct {
		at    int64
		delta []byte
	}
	var deltas []step
	var found base
	for most := limit; ; most = maxObject { // what it is made from may be larger
		if kept, ok := bases.get(basePlace{k, at}); ok {
			found = base{kept.kind, kept.content[:len(kept.content):len(kept.content)]}
			if len(deltas) == 0 {
				found.content = bytes.Clone(kept.content)
			}
			break
		}
		h, data, err := k.inflate(at, most)
		if err != nil {
			return plumbing.InvalidObject, nil, err
		}
		if h.base == 0 {
			found = base{h.kind, data}
			break
		}
		if deltas = append(deltas, step{at, data}); len(deltas) > maxChain {
			return plumbing.InvalidObject, nil, errNotRead
		}
		at = h.base
	}
	for i, d := range slices.Backward(deltas) {
		most := int64(maxObject)
		if i == 0 {
			most = limit
		}
		bases.put(basePlace{k, at}, found)
		content, err := applyDelta(found.content, d.delta, most)
		if err != nil {
			return plumbing.InvalidObject, nil, err
		}
		found.content, at = content, d.at
	}
	return found.kind, found.content, nil
}

// size returns the length of the object that begins at a place.
func (k *pack) size(at int64) (int64, error) {
	x := inflaters.Get().(*inflater)
	defer inflaters.Put(x)
	h, err := x.begin(k, at)
	if err != nil || h.base == 0 {
		return h.size, err
	}
	if err := x.reset(); err != nil {
		return 0, err
	}
	of := bufio.NewReaderSize(x.zlib, 32)
	if _, err := binary.ReadUvarint(of); err != nil { // of the base
		return 0, err
	}
	n, err := binary.ReadUvarint(of)
	return int64(n), err
}

// inflate reads what is stored at a place: an object, or a delta.
func (k *pack) inflate(at, limit int64) (packHeader, []byte, error) {
	x := inflaters.Get().(*inflater)
	defer inflaters.Put(x)
	h, err := x.begin(k, at)
	if err != nil {
		return h, nil, err
	}
	if h.size < 0 || h.size > limit {
		return h, nil, ErrTooLarge
	}
	if err := x.reset(); err != nil {
		return h, nil, err
	}
	data := make([]byte, h.size)
	_, err = io.ReadFull(x.zlib, data)
	return h, data, err
}
