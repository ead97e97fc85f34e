package githubtest

import (
	"cmp"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

// File is a changed file of a pull request.
type File struct {
	Name     string
	Status   string // added, removed, modified, renamed, copied, changed, unchanged
	Previous string // of a renamed file
}

// SetPull says which files pull request number changes.
func (g *GitHub) SetPull(number int, files ...File) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pulls[number] = files
}

// AddCommit adds a commit with these files. A path that ends in "@" is a
// symbolic link, one that ends in "/" a submodule.
func (g *GitHub) AddCommit(sha string, files map[string]string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var entries []treeEntry
	dirs := make(map[string]bool)
	for name, content := range files {
		e := treeEntry{Mode: "100644", Type: "blob", Path: name}
		if link, ok := strings.CutSuffix(name, "@"); ok {
			e.Path, e.Mode = link, "120000"
		}
		e.SHA = objectID("blob", content)
		e.Size = len(content)
		g.blobs[e.SHA] = content
		if sub, ok := strings.CutSuffix(name, "/"); ok {
			e = treeEntry{Path: sub, Mode: "160000", Type: "commit", SHA: objectID("commit", name)}
		}
		entries = append(entries, e)
		for d := path.Dir(e.Path); d != "."; d = path.Dir(d) {
			dirs[d] = true
		}
	}
	for d := range maps.Keys(dirs) {
		entries = append(entries, treeEntry{Path: d, Mode: "040000", Type: "tree", SHA: objectID("tree", d)})
	}
	slices.SortFunc(entries, func(a, b treeEntry) int { return cmp.Compare(a.Path, b.Path) })
	g.trees[sha] = entries
}

// AddTree adds a tree as it is to be answered, which no commit could have made.
func (g *GitHub) AddTree(sha string, paths ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range paths {
		g.trees[sha] = append(g.trees[sha], treeEntry{Path: p, Mode: "100644", Type: "blob", SHA: objectID("blob", ""), Size: 0})
	}
}

type treeEntry struct {
	Path string `json:"path"`
	Mode string `json:"mode"`
	Type string `json:"type"`
	SHA  string `json:"sha"`
	Size int    `json:"size,omitempty"`
}

// objectID is git's name for an object.
func objectID(kind, content string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "%s %d\x00%s", kind, len(content), content))
	return hex.EncodeToString(sum[:])
}

func (g *GitHub) pullFiles(r *http.Request, number string) reply {
	n, err := strconv.Atoi(number)
	files, ok := g.pulls[n]
	if err != nil || !ok {
		return failed(http.StatusNotFound, "Not Found")
	}
	found := []map[string]any{}
	for _, f := range page(r, files, 3000) {
		address := "https://github.com/" + g.Repository + "/x"
		entry := map[string]any{
			"sha": objectID("blob", f.Name), "filename": f.Name, "status": f.Status, "additions": 1, "deletions": 1, "changes": 2,
			"blob_url": address, "raw_url": address, "contents_url": address,
		}
		if f.Previous != "" {
			entry["previous_filename"] = f.Previous
		}
		found = append(found, entry)
	}
	return reply{status: http.StatusOK, body: found}
}

func (g *GitHub) tree(r *http.Request, sha string) reply {
	entries, ok := g.trees[sha]
	if !ok {
		return failed(http.StatusNotFound, "Not Found")
	}
	if r.URL.Query().Get("recursive") == "" {
		entries = slices.DeleteFunc(slices.Clone(entries), func(e treeEntry) bool { return strings.Contains(e.Path, "/") })
	}
	if g.Truncated {
		entries = entries[:len(entries)/2]
	}
	return reply{status: http.StatusOK, body: map[string]any{"sha": sha, "url": "https://api.github.com/x", "tree": entries, "truncated": g.Truncated}}
}

func (g *GitHub) gitBlob(r *http.Request, sha string) reply {
	content, ok := g.blobs[sha]
	if !ok {
		return failed(http.StatusNotFound, "Not Found")
	}
	if accept := r.Header.Get("Accept"); strings.Contains(accept, "raw") {
		return reply{status: http.StatusOK, header: map[string]string{"Content-Type": accept}, body: []byte(content)}
	}
	return reply{status: http.StatusOK, body: map[string]any{
		"sha": sha, "url": "https://api.github.com/x", "node_id": "B_1", "size": len(content), "encoding": "base64",
		"content": base64.StdEncoding.EncodeToString([]byte(content)),
	}}
}
