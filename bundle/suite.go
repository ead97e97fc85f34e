package bundle

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
)

// maxSuite bounds files/assay.yaml, in bytes. Assay refuses a configuration over
// 1 MiB; the room below that is for the last test.
const maxSuite = 1<<20 - 16<<10

// maxSuiteText bounds one text in the suite, in bytes as quoted.
const maxSuiteText = 240

// suite is a verdict in the words of Assay's engine.
type suite struct {
	config []byte // files/assay.yaml
	trace  []byte // files/trace.jsonl
}

// newSuite writes the checks of r as an Assay suite, so that `assay replay`
// judges each field and comes to the same verdict: a test passes for ok and
// warn, fails for FAIL, and there is none for info. ids are the tests' names,
// one for each check.
//
// A test asserts that the response contains `recorded "R"`. A field that holds
// has the response `recorded "R", observed "O"`. One that fails has only
// `observed "O"`, which can't contain the assertion whatever R and O are: inside
// the quotes every quote is escaped, so the assertion's first quote could only
// match the quote behind `observed `, and what stands before it differs.
//
// All texts are quoted to printable ASCII, because YAML and JSON disagree about
// what else may stand between quotes.
func newSuite(r *verify.Result, ids []string) (suite, error) {
	var s suite
	var config, trace bytes.Buffer
	config.WriteString("version: 1\nsuite: replay-gate\nmodel: trace\ntests:\n")
	add := func(id, prompt, want, got string) error {
		line, err := marshal(struct {
			Prompt   string `json:"prompt"`
			Response string `json:"response"`
		}{prompt, got})
		if err != nil {
			return err
		}
		trace.Write(append(line, '\n'))
		fmt.Fprintf(&config, "  - id: %s\n    input:\n      prompt: %s\n    expected:\n      type: must_contain\n      must_contain:\n        - %s\n",
			yamlString(id), yamlString(prompt), yamlString(want))
		return nil
	}

	evidence := suiteText(r.Path)
	var left, leftFailing, tests int
	for i, c := range r.Checks {
		if c.Status == verify.Info {
			continue
		}
		if config.Len() > maxSuite {
			left++
			if c.Status == verify.Fail {
				leftFailing++
			}
			continue
		}
		want := "recorded " + suiteText(c.Recorded)
		got := "observed " + suiteText(c.Observed)
		if c.Status != verify.Fail {
			got = want + ", " + got
		}
		id := suiteText(ids[i])
		tests++
		if err := add(ids[i], id+" of "+evidence, want, got); err != nil {
			return s, err
		}
	}
	if left > 0 || tests == 0 {
		// Assay refuses a suite without tests, so the verdict always has one.
		want, got := "recorded no failure", "recorded no failure"
		if leftFailing > 0 {
			got = fmt.Sprintf("observed %d failing", leftFailing)
		}
		id := "remaining"
		for slices.Contains(ids, id) {
			id += "+"
		}
		if err := add(id, fmt.Sprintf("the other %d fields of %s", left, evidence), want, got); err != nil {
			return s, err
		}
	}
	s.config, s.trace = config.Bytes(), trace.Bytes()
	return s, nil
}

// suiteText quotes s for the suite: printable ASCII, bounded, and free of what
// Assay would take for something else. A text that is none of that becomes its
// digest, which is as good for telling two values apart.
func suiteText(s string) string {
	quoted := strconv.QuoteToASCII(s)
	if len(quoted) > maxSuiteText || misleading(quoted) {
		return strconv.Quote(digest([]byte(s)))
	}
	return quoted
}

// misleading reports whether s holds what Assay takes for something else: words
// by which it classifies a message before it counts failures
// (errors::legacy_classify_message), or, of its secret patterns (replay/scrub),
// one that a quoted text can match.
func misleading(s string) bool {
	lower := strings.ToLower(s)
	for _, words := range [...]string{
		"not found", "no such file", "cannot find", "can't find", "could not find", "os error 2", "tracenotfound",
		"failed to load trace", "failed to ingest trace", "no config found", "config missing", "config error", "configerror",
		"cannot use --", "invalid arg", "failed to parse yaml", "unknown field", "bearer ",
	} {
		if strings.Contains(lower, words) {
			return true
		}
	}
	return (strings.Contains(s, "sk-") || strings.Contains(s, "sk_")) && secretKey.MatchString(s)
}

var secretKey = regexp.MustCompile(`sk[-_][A-Za-z0-9_-]{20}`)

// yamlString writes printable ASCII as a double-quoted YAML scalar, in which
// the escapes of quote and backslash are those of JSON.
func yamlString(s string) string {
	return `"` + yamlEscapes.Replace(s) + `"`
}

// testIDs names one test for each check: the field, and "#2" and so on where a
// field was checked more than once. A name that is not plain text of moderate
// length is its digest.
func testIDs(checks []verify.Check) []string {
	ids := make([]string, len(checks))
	seen := make(map[string]int, len(checks))
	for i, c := range checks {
		id := c.Field
		if suiteText(id) != `"`+id+`"` {
			id = digest([]byte(id))
		}
		for seen[id]++; seen[id] > 1; seen[id]++ {
			id += "#" + strconv.Itoa(seen[id])
		}
		ids[i] = id
	}
	return ids
}

var yamlEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
