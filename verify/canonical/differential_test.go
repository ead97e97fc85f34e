package canonical

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var (
	seedFlag   = flag.Uint64("differential.seed", 0, "seed of TestDifferential; 0 takes the clock")
	recordFlag = flag.Bool("differential.record", false, "write findings of TestDifferential to testdata/found")
)

const (
	batchSize = 256
	// fewBatches is what a plain `go test` runs.
	fewBatches = 16
	// goRejectsCap and nodeRejectsCap bound, in cases per million, what the
	// list of known classes says may happen without a class of its own. The
	// measured rates were about 10 and 2.
	goRejectsCap   = 100
	nodeRejectsCap = 30
	// refusedCap bounds the share of refusals, in percent: traps are frequent
	// in these texts (3.3 % measured), and a refusal must not become the easy
	// answer.
	refusedCap = 6
)

// TestDifferential mutates the vector files and compares each text with the
// reference. REPLAY_GATE_DIFFERENTIAL=30s says for how long.
func TestDifferential(t *testing.T) {
	o := startOracle(t)
	corpus := readCorpus(t)
	classes := knownClasses(t)
	duration := time.Duration(0)
	if text := os.Getenv("REPLAY_GATE_DIFFERENTIAL"); text != "" {
		var err error
		if duration, err = time.ParseDuration(text); err != nil {
			t.Fatalf("REPLAY_GATE_DIFFERENTIAL: %v", err)
		}
	}
	seed := *seedFlag
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("%d texts, repeat with -differential.seed=%d", len(corpus), seed)
	r := rand.New(rand.NewPCG(seed, 1))
	counts, details := map[string]int{}, map[string]int{}
	cases := 0
	for start := time.Now(); cases < fewBatches*batchSize || time.Since(start) < duration; {
		texts := make([][]byte, batchSize)
		for i := range texts {
			texts[i] = mutate(r, corpus[r.IntN(len(corpus))])
		}
		answers, err := o.judge(texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			cases++
			result, detail := compare(text, answers[i])
			counts[result]++
			if result == same || result == bothReject {
				continue
			}
			details[result+": "+detail]++
			if _, known := classes[detail]; result == refused && known {
				continue
			}
			t.Logf("%s: %s: %q", result, detail, text)
			record(t, text, answers[i])
			switch result {
			case differs:
				t.Errorf("the hash differs: %q\n go   %.500s\n node %.500s", text, detail, answers[i].Canonical)
			case refused:
				t.Errorf("%q is a construct that known-classes.md does not list", detail)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(details)) {
		t.Logf("%6d  %s", details[key], key)
	}
	t.Logf("%d cases: %v", cases, counts)
	for result, perMillion := range map[string]int{goRejects: goRejectsCap, nodeRejects: nodeRejectsCap, refused: refusedCap * 10_000} {
		// Three cases are forgiven, as a short run says little about a rate.
		if counts[result] > 3+cases*perMillion/1_000_000 {
			t.Errorf("%s: %d of %d cases, above the cap of %d in a million", result, counts[result], cases, perMillion)
		}
	}
}

// record writes a finding as a vector file with its golden line.
func record(t *testing.T, text []byte, want golden) {
	t.Helper()
	if !*recordFlag {
		return
	}
	want.File = fmt.Sprintf("fuzz-%s.yaml", RawHash(text)[len("sha256:"):][:12])
	line, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata", "found", want.File), text, 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join("testdata", "found", "golden.jsonl"), os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
}

// readCorpus returns the vector files that are small enough to be compared in
// great number.
func readCorpus(t testing.TB) [][]byte {
	t.Helper()
	var corpus [][]byte
	for _, pattern := range []string{"vectors/crafted/*", "vectors/realistic/*", "found/*.yaml"} {
		paths, err := filepath.Glob(filepath.Join("testdata", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(text) < 8<<10 {
				corpus = append(corpus, text)
			}
		}
	}
	if len(corpus) == 0 {
		t.Fatal("no vector files")
	}
	return corpus
}
