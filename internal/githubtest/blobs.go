package githubtest

import (
	"encoding/base64"
	"encoding/xml"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const blobStore = "/blobs/"

// Signature is the secret in every signed address, as it stands there. It holds
// what a client that takes an address apart and puts it together again would
// write differently.
const Signature = "Zm9v%2Fa%2Bb~c*d%3D"

func (g *GitHub) signed(r *http.Request, a *Artifact, may string) string {
	base := g.url
	if base == "" {
		base = "http://" + r.Host
	}
	return base + blobStore + a.upload + "?" + signedQuery(may)
}

func signedQuery(may string) string {
	return "se=2038-01-19T03%3A14%3A07Z&sp=" + may + "&sv=2025-11-05&sig=" + Signature
}

// blob answers a request of the blob store.
func (g *GitHub) blob(r *http.Request, name string, body []byte) reply {
	i := slices.IndexFunc(g.artifacts, func(a *Artifact) bool { return a.upload == name })
	if i < 0 {
		return storeError(http.StatusNotFound, "BlobNotFound")
	}
	a := g.artifacts[i]
	if r.Header.Get("Authorization") != "" {
		g.problem("blob store: a token was sent along with the signed address")
		return storeError(http.StatusBadRequest, "InvalidAuthenticationInfo")
	}
	if r.Method == http.MethodGet && strings.HasPrefix(r.URL.RawQuery, signedQuery("r")) {
		return reply{status: http.StatusOK, header: map[string]string{"Content-Type": a.ContentType}, body: a.Content}
	}
	if r.Method != http.MethodPut || !strings.HasPrefix(r.URL.RawQuery, signedQuery("rcw")+"&") {
		g.problem("blob store: %s with a signature that does not match: %s", r.Method, r.URL.RawQuery)
		return storeError(http.StatusForbidden, "AuthenticationFailed")
	}
	if r.ContentLength < 0 {
		g.problem("blob store: no Content-Length")
		return storeError(http.StatusLengthRequired, "MissingContentLengthHeader")
	}
	switch r.URL.Query().Get("comp") {
	case "block":
		return g.putBlock(a, r.URL.Query().Get("blockid"), body)
	case "blocklist":
		return g.putBlockList(a, r, body)
	}
	g.problem("blob store: neither block nor blocklist")
	return storeError(http.StatusBadRequest, "InvalidQueryParameterValue")
}

func (g *GitHub) putBlock(a *Artifact, id string, body []byte) reply {
	if raw, err := base64.StdEncoding.DecodeString(id); err != nil || len(raw) == 0 || len(raw) > 64 {
		g.problem("blob store: block id %q", id)
		return storeError(http.StatusBadRequest, "InvalidQueryParameterValue")
	}
	for other := range a.blocks {
		if len(other) != len(id) {
			g.problem("blob store: block ids of different lengths, %q and %q", other, id)
			return storeError(http.StatusBadRequest, "InvalidBlobOrBlock")
		}
	}
	if len(body) == 0 {
		g.problem("blob store: empty block")
		return storeError(http.StatusBadRequest, "InvalidHeaderValue")
	}
	a.blocks[id] = body
	return reply{status: http.StatusCreated}
}

// putBlockList commits blocks in the order of the list.
func (g *GitHub) putBlockList(a *Artifact, r *http.Request, body []byte) reply {
	var list struct {
		XMLName xml.Name `xml:"BlockList"`
		Latest  []string `xml:"Latest"`
	}
	if err := xml.Unmarshal(body, &list); err != nil {
		g.problem("blob store: %v", err)
		return storeError(http.StatusBadRequest, "InvalidXmlDocument")
	}
	var content []byte
	for _, id := range list.Latest {
		block, ok := a.blocks[id]
		if !ok {
			g.problem("blob store: the list names block %q, which was not put", id)
			return storeError(http.StatusBadRequest, "InvalidBlockList")
		}
		content = append(content, block...)
	}
	a.Content, a.committed = content, true
	a.ContentType = r.Header.Get("x-ms-blob-content-type")
	return reply{status: http.StatusCreated}
}

func storeError(status int, code string) reply {
	return reply{status: status, header: map[string]string{"x-ms-error-code": code, "Content-Type": "application/xml"},
		body: []byte(`<?xml version="1.0" encoding="utf-8"?><Error><Code>` + code + `</Code><Message>` + strconv.Itoa(status) + `</Message></Error>`)}
}
