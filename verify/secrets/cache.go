package secrets

import (
	"bytes"
	"context"
	"crypto/sha256"
	"slices"
	"sync"
)

// Cache scans each distinct content once. It is safe for concurrent use; who asks
// for what is being scanned waits for it. The zero value is ready.
type Cache struct {
	mu      sync.Mutex
	entries map[contentKey]*entry
	strings map[[16]byte]bool // those that were scanned, and hold no secret
}

type contentKey struct {
	digest [sha256.Size]byte
	kinds  Kinds
}

type entry struct {
	done  chan struct{}
	found []Found
	err   error
}

// Find is [Scan] with memory. Callers must not change what it gives.
func (c *Cache) Find(ctx context.Context, text []byte, kinds Kinds) ([]Found, error) {
	key := contentKey{sha256.Sum256(text), kinds}
	for {
		c.mu.Lock()
		e, ok := c.entries[key]
		if !ok {
			e = &entry{done: make(chan struct{})}
			if c.entries == nil {
				c.entries = make(map[contentKey]*entry)
			}
			c.entries[key] = e
			c.mu.Unlock()
			e.found, e.err = Scan(ctx, text, kinds)
			if e.err != nil {
				// Who comes next may have more time.
				c.mu.Lock()
				delete(c.entries, key)
				c.mu.Unlock()
			}
			close(e.done)
			return e.found, e.err
		}
		c.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-e.done:
			if e.err == nil {
				return e.found, nil
			}
		}
	}
}

// FindRendered is [Cache.Find] for what is rendered from scanned files as JSON: only
// those of its strings are looked at, decoded, that no call saw before. Lines are
// those of the document. What is no JSON is scanned whole.
func (c *Cache) FindRendered(ctx context.Context, doc []byte, kinds Kinds) ([]Found, error) {
	if !isJSON(doc) {
		return c.Find(ctx, doc, kinds)
	}
	var all []byte
	var places, starts []int // of the strings: in the document, and in all
	var digests [][16]byte
	c.mu.Lock()
	fresh := make(map[[16]byte]bool)
	tokens(doc, func(t token) {
		text := doc[t.start+1 : t.end-1]
		if len(text) < shortestLearned {
			return
		}
		sum := sha256.Sum256(text)
		digest := [16]byte(sum[:16])
		digest[0] = digest[0]&^0xf | byte(kinds)
		if c.strings[digest] || fresh[digest] {
			return
		}
		fresh[digest] = true
		if bytes.IndexByte(text, '\\') >= 0 {
			text, _ = decoded(text)
		}
		places, starts, digests = append(places, t.start), append(starts, len(all)), append(digests, digest)
		all = append(append(all, text...), '\n')
	})
	c.mu.Unlock()
	found, err := Scan(ctx, all, kinds)
	if err != nil {
		return nil, err
	}
	for i := range found {
		n, exact := slices.BinarySearch(starts, found[i].from)
		if !exact {
			n--
		}
		n = max(n, 0)
		delete(fresh, digests[n])
		found[i] = Found{Start: places[n], End: places[n], Rule: found[i].Rule, Prose: found[i].Prose, from: places[n]}
	}
	number(doc, found)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.strings == nil {
		c.strings = make(map[[16]byte]bool)
	}
	for digest := range fresh {
		c.strings[digest] = true
	}
	return found, nil
}
