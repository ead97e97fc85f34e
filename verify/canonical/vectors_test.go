package canonical

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// golden is what the reference makes of a file: a line of golden.jsonl, or an
// answer of oracle.mjs.
type golden struct {
	File      string `json:"file"`
	OK        bool   `json:"ok"`
	Raw       string `json:"raw"`
	SHA256    string `json:"sha256"`
	Canonical string `json:"canonical"`
	Error     string `json:"error"`
}

func readGolden(t testing.TB, path string) []golden {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []golden
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// knownClasses reads testdata/known-classes.md: the files of each construct.
func knownClasses(t testing.TB) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/known-classes.md")
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| construct") {
			continue
		}
		files := strings.Fields(strings.TrimSuffix(cells[2], " |"))
		if len(files) == 1 && files[0] == "-" {
			files = nil
		}
		classes[strings.TrimPrefix(cells[0], "| ")] = files
	}
	if len(classes) == 0 {
		t.Fatal("no classes in testdata/known-classes.md")
	}
	return classes
}

// TestVectors compares every vector file with the reference's answer. The two
// never give different hashes, and they part only as the list of known classes
// says, in both directions.
func TestVectors(t *testing.T) {
	listed := map[string]string{}
	for construct, files := range knownClasses(t) {
		for _, file := range files {
			listed[file] = construct
		}
	}
	accepted, agreed := 0, 0
	for _, set := range []string{"vectors", "found"} {
		for _, want := range readGolden(t, filepath.Join("testdata", set, "golden.jsonl")) {
			text, err := os.ReadFile(filepath.Join("testdata", set, filepath.FromSlash(want.File)))
			if err != nil {
				t.Fatal(err)
			}
			result, detail := compare(text, want)
			if set == "found" {
				want.File = "found/" + want.File
			}
			construct, known := listed[want.File]
			delete(listed, want.File)
			switch {
			case result == refused && detail != construct:
				t.Errorf("%s: %q is not its class in known-classes.md (%q)", want.File, detail, construct)
			case result != refused && known:
				t.Errorf("%s: listed in known-classes.md under %q, but: %s", want.File, construct, result)
			case result != refused && result != same && result != bothReject:
				t.Errorf("%s: %s: %s", want.File, result, detail)
			}
			if want.OK && set == "vectors" {
				accepted++
				if result == same {
					agreed++
				}
			}
			checkHashes(t, text, want, result)
		}
	}
	for file := range listed {
		t.Errorf("%s: listed in known-classes.md, but there is no such file", file)
	}
	if agreed*100 < accepted*95 {
		t.Errorf("%d of %d accepted files agree, fewer than 95 %%", agreed, accepted)
	}
	t.Logf("%d of %d files that the reference accepts agree", agreed, accepted)
}

// checkHashes holds Hash and RawHash against the recorded sums: compare has
// looked at the JSON text only.
func checkHashes(t *testing.T, text []byte, want golden, result string) {
	t.Helper()
	sum, err := Hash(text)
	if (err == nil) != (result == same) || result == same && sum != want.SHA256 {
		t.Errorf("%s: Hash = %q, %v; want %q", want.File, sum, err, want.SHA256)
	}
	// The reference reads a file as UTF-8 text, so the sums of the exact bytes
	// are equal for valid UTF-8 only.
	if decoded := decodeUTF8(text); RawHash([]byte(decoded)) != want.Raw {
		t.Errorf("%s: RawHash of the decoded text = %s, want %s", want.File, RawHash([]byte(decoded)), want.Raw)
	} else if bytes.Equal([]byte(decoded), text) != (RawHash(text) == want.Raw) {
		t.Errorf("%s: RawHash is not that of the exact bytes", want.File)
	}
}

// The results of a comparison.
const (
	same        = "same hash"
	bothReject  = "both reject"
	refused     = "refused"
	goRejects   = "Go rejects"
	nodeRejects = "Node rejects"
	differs     = "differs"
)

// compare judges one text against the reference's answer. detail names the
// construct or the reason of a refusal or rejection.
func compare(text []byte, want golden) (result, detail string) {
	v, err := Parse(text)
	var cannotJudge *CannotJudgeError
	var notValid *NotValidError
	switch {
	case err == nil && !want.OK:
		return nodeRejects, want.Error
	case err == nil && string(AppendJSON(nil, v)) != want.Canonical:
		return differs, string(AppendJSON(nil, v))
	case err == nil:
		return same, ""
	case !want.OK:
		return bothReject, ""
	case errors.As(err, &cannotJudge):
		return refused, cannotJudge.Construct
	case errors.As(err, &notValid):
		return goRejects, notValid.Reason
	}
	return differs, "an error of another type: " + err.Error()
}
