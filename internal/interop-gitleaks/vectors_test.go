package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the vectors anew")

const vectorsFile = "../../verify/secrets/testdata/gitleaks-" + version + ".jsonl"

// vector is a text and what the library finds in it. Both are in base64: they are
// shaped like secrets, which hosts refuse to take.
type vector struct {
	Text  string   `json:"text"`
	Found []string `json:"found"` // line, rule, and the secret in base64
}

// The vectors by which `go test` judges our evaluation, without the library, are
// what the library says.
func TestVectors(t *testing.T) {
	const each, longest = 2, 600
	d := detector(t)
	r := rand.New(rand.NewPCG(7, 0))
	var b bytes.Buffer
	for _, id := range slices.Sorted(slices.Values(d.Config.OrderedRules)) {
		rule := d.Config.Rules[id]
		if rule.Regex == nil {
			continue
		}
		re, err := syntax.Parse(rule.Regex.String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < each; {
			text := pick(r, around) + mutated(r, sample(r, re)) + pick(r, around) + pick(r, append(rule.Keywords, ""))
			if len(text) > longest && n > 0 || len(text) > 4*longest {
				n++
				continue
			}
			n++
			v := vector{Text: base64.StdEncoding.EncodeToString([]byte(text)), Found: []string{}}
			for _, f := range d.DetectString(recordedHash.ReplaceAllString(text, strings.Repeat(" ", 71))) {
				v.Found = append(v.Found, strings.Join([]string{strconv.Itoa(f.StartLine + 1), f.RuleID, base64.StdEncoding.EncodeToString([]byte(f.Secret))}, " "))
			}
			slices.Sort(v.Found)
			line, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
	}
	if *update {
		if err := os.WriteFile(vectorsFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, b.Bytes()) {
		t.Error("the vectors are not what the library finds: go test -run Vectors -update")
	}
}
