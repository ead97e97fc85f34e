package canonical

import (
	"regexp"
	"strconv"
	"strings"
)

var rejectionForm = regexp.MustCompile(`(?s)^yaml: (?:line ([0-9]+): )?(.*)$`)

// oddities are the constructs that yaml.v3 rejects and the reference reads,
// where one pattern over the text tells. A pattern may also hit text that only
// looks alike: then a rejection that both share can't be judged.
var oddities = []struct {
	construct string
	pattern   *regexp.Regexp
}{
	{emptyKey, regexp.MustCompile(`(?m)^[-? \t]*:(?:[ \t\r]|$)`)},
	{"an anchor name that yaml.v3 does not know", regexp.MustCompile(`(?:^|[\s,\[{])(?:[&*][^\s,\[\]{}]*[^\x00-\x7F]|&[^\s,\[\]{}]*["'\[{])`)},
	{"an explicit key", regexp.MustCompile(`(?m)^[- \t]*\?(?:[ \t\r]|$)`)},
	{"a colon behind a flow collection", regexp.MustCompile(`[\]}][ \t]*:`)},
	{"a comment below a key or dash without a value", regexp.MustCompile(`(?:[:?-]|[&!]\S*)[ \t]*(?:[ \t]#.*)?\r?\n[ \t\r\n]*#`)},
	{oddQuote, regexp.MustCompile(`(?m)(?:(?:[^\s:,\[{-]|^[ \t]*)\'\'|\\")[ \t\r]*$`)},
	{oddTag, regexp.MustCompile(`(?:^|[\s,\[{])!\S*[^-\w!./:\s,\]}]`)},
}

// rejection is an error of yaml.v3, which may be its own.
type rejection struct{ error }

var taggedAlias = regexp.MustCompile(`(?:^|[\s,\[{])[!&][^\s,\[\]{}]*[ \t]+\*[^\s,\[\]{}]`)

// blame turns the rejection of text into one of this package's errors. Where
// the reference may well read the text, that is all it says.
func (r *rejection) blame(text string) error {
	m := rejectionForm.FindStringSubmatch(r.Error())
	if m == nil {
		return &CannotJudgeError{0, parserFailure}
	}
	line, _ := strconv.Atoi(m[1])
	reason := m[2]
	if strings.HasPrefix(reason, "unknown anchor") {
		reason = "unknown anchor" // without its name, which may be anything
	}
	flow := reason == "did not find expected node content" || strings.HasPrefix(reason, "did not find expected ','")
	switch {
	case strings.HasPrefix(reason, "exceeded max depth"):
		return &CannotJudgeError{line, tooDeep}
	case flow && taggedAlias.MatchString(text):
		return &NotValidError{Line: line, Reason: "an alias with a tag or an anchor"}
	case flow:
		return &CannotJudgeError{line, "a flow collection that yaml.v3 does not read"}
	case reason == "did not find expected whitespace or line break":
		return &CannotJudgeError{line, oddTag}
	}
	for _, odd := range oddities {
		if at := odd.pattern.FindStringIndex(text); at != nil {
			return &CannotJudgeError{1 + strings.Count(text[:at[0]], "\n"), odd.construct}
		}
	}
	return &NotValidError{Line: line, Reason: "yaml.v3: " + reason}
}
