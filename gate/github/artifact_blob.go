package github

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"net/http"
	"net/url"
)

// blockSize is how much is sent at a time, in bytes; as GitHub's own client.
const blockSize = 8 << 20

// blockUpload writes to a blob of Azure's store, or of what stands in for it:
// blocks one after the other, then the list of them. A single PUT would do for
// GitHub, but other implementations keep nothing of one; they also take blocks
// in the order in which they come, so there is no second one under way.
type blockUpload struct {
	ctx     context.Context
	http    *http.Client
	address string // signed; a query is appended to its text, because encoding it anew could change the signature
	size    int64
	sum     hash.Hash
	buf     []byte
	ids     []string
}

func newBlockUpload(ctx context.Context, client *http.Client, address string) *blockUpload {
	return &blockUpload{ctx: ctx, http: client, address: address, sum: sha256.New(), buf: make([]byte, 0, blockSize)}
}

func (b *blockUpload) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		k := min(len(p), blockSize-len(b.buf))
		b.buf = append(b.buf, p[:k]...)
		p = p[k:]
		if len(b.buf) == blockSize {
			if err := b.flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// flush sends what is buffered as a block.
func (b *blockUpload) flush() error {
	if len(b.buf) == 0 {
		return nil
	}
	b.sum.Write(b.buf)
	b.size += int64(len(b.buf))
	// All ids must have the same length.
	id := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%09d", len(b.ids)))
	b.ids = append(b.ids, id)
	header := http.Header{"Content-Type": {octets}}
	if err := b.put("&comp=block&blockid="+url.QueryEscape(id), header, b.buf); err != nil {
		return fmt.Errorf("block %d: %w", len(b.ids), err)
	}
	b.buf = b.buf[:0]
	return nil
}

// commit ends the upload with the list of blocks.
func (b *blockUpload) commit(mime string) error {
	if err := b.flush(); err != nil {
		return err
	}
	list := `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><BlockList>`
	for _, id := range b.ids { // base64 needs no escaping
		list += "<Latest>" + id + "</Latest>"
	}
	list += "</BlockList>"
	header := http.Header{"Content-Type": {"application/xml; charset=UTF-8"}, "X-Ms-Blob-Content-Type": {mime}}
	if err := b.put("&comp=blocklist", header, []byte(list)); err != nil {
		return fmt.Errorf("list of blocks: %w", err)
	}
	return nil
}

func (b *blockUpload) put(query string, header http.Header, body []byte) error {
	req, err := http.NewRequestWithContext(b.ctx, http.MethodPut, b.address+query, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = header
	req.Header.Set("x-ms-version", "2026-04-06") // that of GitHub's client; the address is signed for one of its own
	req.Header.Set("User-Agent", "replay-gate")
	resp, err := b.http.Do(req)
	if err != nil {
		return withoutAddress(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusCreated {
		return fmt.Errorf("the blob store refused: %d %s", resp.StatusCode, cut(oneLine(resp.Header.Get("x-ms-error-code")), 100))
	}
	return nil
}

// digest is the sha256 of what was sent.
func (b *blockUpload) digest() string {
	return "sha256:" + hex.EncodeToString(b.sum.Sum(nil))
}
