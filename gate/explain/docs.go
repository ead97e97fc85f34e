package explain

import (
	"fmt"
	"path"
	"strings"
)

// Documentation is docs/next-steps.md: what every FAIL means, and what to do about it.
func Documentation() string {
	var b strings.Builder
	b.WriteString(docsHead)
	for _, s := range StepTable() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, s.When, s.Says)
	}
	b.WriteString(docsReasons)
	for _, r := range ReasonTable() {
		steps := "–"
		if len(r.Steps) > 0 {
			steps = "`" + strings.Join(r.Steps, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Code, r.Means, steps)
	}
	b.WriteString(docsFields)
	for _, f := range FieldTable() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.Field, f.Means)
	}
	b.WriteString(docsRuns)
	for _, r := range RunTable() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Code, r.Means, r.Do)
	}
	return b.String()
}

const (
	docsHead = `# What to do about a FAIL

A report begins with causes: one change of one thing, with all the evidence that it
affects. A cause that this change brought has two ways out. If the change was meant, run
again and publish what comes out, or accept that the published result is about an older
state. If it was not meant, take it back; the command says what it discards.

Below its causes a report has each FAIL with exactly one next step. The gate tries the
steps that belong to its reason code from left to right, and gives the first that
applies. ` + "`replay-gate explain CODE`" + ` and ` + "`replay-gate explain FIELD`" + ` print what this page
says about one of them.

## Steps

| step | applies when | says |
|---|---|---|
`
	docsReasons = `
An input that was renamed since is restored to its present place with
` + "`git show REV:OLD > INPUT`" + `. A command is left out when it holds a character that can't
be shown; then only its words remain. Accepting is never offered for a secret, a file that
is broken, and a file under a name that it can't have.

A committed bundle that breaks a rule gets ` + "`bundle`" + `. Other evidence that can't be judged, for
a reason without a row of its own, gets ` + "`repair`" + `.

## Reasons

| reason code | means | steps |
|---|---|---|
`
	docsFields = `
A reason code of another kind of evidence than a sidecar gives the hint of its check,
or else the first of ` + "`undo`, `superseded`, `re-run`, `accept`" + ` that applies.

## Fields

A star stands for anything. Other fields are named as the evidence spells them.

| field | is about |
|---|---|
`
	docsRuns = `
## Codes of a run

A run that does not exit with 0 ends with one of these, and with a next step of its own.

| code | means | what to do |
|---|---|---|
`
)

// Entry is what the documentation has on a reason code, a field, or a code of a run.
type Entry struct {
	About string `json:"about"`
	Means string `json:"means"`
	// Steps are what to do, the first that applies.
	Steps []EntryStep `json:"steps"`
}

// EntryStep is one thing to do.
type EntryStep struct {
	Says string `json:"says"`
	When string `json:"when,omitempty"`
}

// About finds what the documentation has on a word; ok is false for one that it does not
// know.
func About(word string) (e Entry, ok bool) {
	if r, ok := reasonsByCode[word]; ok {
		e := Entry{About: r.Code, Means: plainText(r.Means), Steps: []EntryStep{}}
		for _, name := range r.Steps {
			s := stepsByName[name]
			e.Steps = append(e.Steps, EntryStep{plainText(s.Says), strings.Replace(s.When, always, "nothing above applies", 1)})
		}
		return e, true
	}
	for _, f := range FieldTable() {
		if fieldMatches(f.Field, word) {
			return Entry{About: word, Means: plainText(f.Means), Steps: []EntryStep{}}, true
		}
	}
	for _, r := range RunTable() {
		if r.Code == word {
			return Entry{About: word, Means: r.Means, Steps: []EntryStep{{Says: plainText(r.Do)}}}, true
		}
	}
	return Entry{}, false
}

// Words are all that About knows, for whoever misspelt one.
func Words() []string {
	var all []string
	for _, r := range ReasonTable() {
		all = append(all, r.Code)
	}
	for _, f := range FieldTable() {
		all = append(all, f.Field)
	}
	for _, r := range RunTable() {
		all = append(all, r.Code)
	}
	return all
}

func fieldMatches(pattern, field string) bool {
	if before, ok := strings.CutSuffix(pattern, "[*"); ok {
		return strings.HasPrefix(field, before+"[")
	}
	ok, err := path.Match(pattern, field)
	return ok && err == nil
}

func plainText(s string) string { return strings.ReplaceAll(s, "`", "") }
