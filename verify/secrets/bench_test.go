package secrets

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// hostile are texts that cost the most, each to be repeated.
var hostile = map[string]string{
	"key=":        "key=abcabc",
	"hex lines":   "key=" + strings.Repeat("0123456789abcdef", 4) + "\n",
	"blanks":      "                ",
	"breaks":      "\n",
	"ghp_":        "ghp_",
	"sk":          "sk",
	"EAAM":        "EAAM",
	"ey":          "ey.",
	"curl":        "curl -u -H ",
	"BEGIN":       "-----BEGIN PRIVATE KEY-----\n",
	"BEGIN words": "-----BEGIN PRIVATE KEY----- x ",
	"bearer":      "bearer ",
	"header":      " Authorization:",
	"facebook":    "facebook 1234567890123456|",
	"sourcegraph": "sourcegraph 0123456789abcdef",
	"password":    "password=\"",
	"url":         "a://b:",
	"quotes":      "secret='\"' token \" : ",
	"A":           "A",
	"prose":       "The quick brown fox jumps over the lazy dog and asks why anyone would keep a token. ",
}

// Cost is linear in the length whatever the text holds: ns/op of the larger is four
// times that of the smaller.
func BenchmarkHostile(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(hostile)) {
		for _, size := range []int{1 << 20, 4 << 20, 16 << 20} {
			b.Run(fmt.Sprintf("%s/%dMB", name, size>>20), func(b *testing.B) {
				text := []byte(strings.Repeat(hostile[name], size/len(hostile[name])))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := Scan(b.Context(), text, All); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// What 25 bundles of real size hold: a sidecar each, a report each, five tokens and
// five briefs that they share, and a summary that quotes it all.
func bundles() (files [][]byte, renderings [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	hash := func() string {
		return fmt.Sprintf("sha256:%016x%016x%016x%016x", r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64())
	}
	for i := range 5 {
		var token, brief strings.Builder
		for token.Len() < 5<<10 {
			fmt.Fprintf(&token, "palette-%d:\n  accent: \"#%06x\"\n  name: swiss editorial %d\n", token.Len(), r.IntN(1<<24), i)
		}
		for brief.Len() < 8<<10 {
			brief.WriteString("The landing page speaks to readers who know the token they want, and keeps its promises. ")
		}
		files = append(files, []byte(token.String()), []byte(brief.String()))
	}
	for i := range 25 {
		sidecar := map[string]any{
			"schemaVersion": 1, "kind": "eval-live", "command": []string{"ahd", "eval-live", "swiss", "--n", "30"},
			"token": map[string]string{"path": "tokens/swiss.yml", "hash": hash()}, "brief": map[string]string{"path": "briefs/landing.md", "hash": hash()},
		}
		var ids []string
		for range 60 {
			ids = append(ids, fmt.Sprintf("req_%016x%08x", r.Uint64(), r.Uint32()))
		}
		sidecar["provider_request_ids"] = ids
		data, _ := json.MarshalIndent(sidecar, "", "  ")
		var report strings.Builder
		for report.Len() < 10<<10 {
			fmt.Fprintf(&report, "| cell %d | raw | compiled | %.3f | %.3f |\n", report.Len(), r.Float64(), r.Float64())
		}
		files = append(files, data, []byte(report.String()))
		summary := map[string]any{"evidence": fmt.Sprintf("docs/evals/%d.replay.json", i), "sidecar": sidecar}
		for k := range 40 {
			summary[fmt.Sprint("field.", k)] = map[string]string{"status": "ok", "recorded": hash(), "reason": "the file is as it was recorded"}
		}
		rendering, _ := json.MarshalIndent(summary, "", "  ")
		renderings = append(renderings, rendering)
	}
	return files, renderings
}

// BenchmarkBundles is the scan for 25 bundles: files by digest, renderings by string.
func BenchmarkBundles(b *testing.B) {
	files, renderings := bundles()
	size := 0
	for _, f := range append(files, renderings...) {
		size += len(f)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		var c Cache
		for i, rendering := range renderings {
			for _, f := range append(files[:10:10], files[10+2*i], files[11+2*i]) {
				if _, err := c.Find(b.Context(), f, Assay|Gitleaks); err != nil {
					b.Fatal(err)
				}
			}
			if _, err := c.FindRendered(b.Context(), rendering, Assay|Gitleaks); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkMask is one string of a report, of a masker that knows some secrets.
func BenchmarkMask(b *testing.B) {
	m := New()
	for kind, secret := range kinds() {
		if err := m.Learn(b.Context(), []byte(announced(kind, secret))); err != nil {
			b.Fatal(err)
		}
	}
	text := "recorded sha256:" + strings.Repeat("210c33eeee95a138", 4) + ", and tokens/swiss-editorial.yml has another hash since \"Change the accent\""
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		m.Mask(text)
	}
}

func BenchmarkScrub(b *testing.B) {
	line, _ := json.Marshal(map[string]any{"h": "Bearer abc", "body": strings.Repeat("hello \"you\" ", 200)})
	data := []byte(strings.Repeat(string(line)+"\n", 500))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Scrub(data)
	}
}
