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
)

// About says what the documentation has on a reason code or on a field, for a terminal;
// ok is false for one that it does not know.
func About(word string) (text string, ok bool) {
	var b strings.Builder
	if r, ok := reasonsByCode[word]; ok {
		fmt.Fprintf(&b, "%s: %s\n", r.Code, r.Means)
		if len(r.Steps) > 0 {
			fmt.Fprint(&b, "\nWhat to do, the first that applies:\n")
		}
		for _, name := range r.Steps {
			s := stepsByName[name]
			fmt.Fprintf(&b, "  %s\n    %s\n", plainText(s.Says), "when "+strings.Replace(s.When, always, "nothing above applies", 1))
		}
		return b.String(), true
	}
	for _, f := range FieldTable() {
		if fieldMatches(f.Field, word) {
			fmt.Fprintf(&b, "%s: %s\n", word, f.Means)
			return b.String(), true
		}
	}
	return "", false
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
