package ahd

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// Positions in argv: node, <root>/bin/ahd.js, subcommand, token name, flags.
const (
	argvProgram = iota + 1
	argvSubcommand
	argvTokenName
)

// argv judges the recorded command: it is there, and what it says about the
// run is what the other fields say.
func (j *checker) argv() {
	const field = "argv"
	argv, ok := j.texts(j.doc.Root, field, field)
	if !ok {
		return
	}
	words := argv.Items()
	if len(words) == 0 {
		if j.isBackfilled() || j.broken() {
			j.OK(field, j.at(argv), "the command was not stored").Recorded = "0 words"
		} else {
			j.Warn(field, j.at(argv), "empty", "only a backfilled sidecar may lack the command").Recorded = "0 words"
		}
		return
	}
	row := j.OK(field, j.at(argv), "")
	row.Recorded = strconv.Itoa(len(words)) + " words: " + quoted(words, 512)
	if complaints := j.disagreements(words); len(complaints) > 0 {
		row.Status, row.Code = verify.Warn, "argv-disagrees"
		row.Reason = verify.Shorten(strings.Join(complaints, "; "), verify.MaxValue)
	}
}

// disagreements says where the command contradicts a field. What either of
// them lacks is no contradiction.
func (j *checker) disagreements(words []*jsondoc.Node) []string {
	const longest = 96
	var all []string
	complain := func(what, said, field, recorded string) {
		all = append(all, what+" "+verify.Shorten(said, longest)+" is not "+field+" "+verify.Shorten(recorded, longest))
	}
	root := j.doc.Root
	if len(words) > argvSubcommand {
		said, kind := words[argvSubcommand].Text(), root.Get("kind").Text()
		if said != kind && slices.Contains(Kinds(), said) && slices.Contains(Kinds(), kind) {
			complain("the subcommand", said, "kind", kind)
		}
	}
	flags := flagValues(words)
	if said, ok := flags["--n"]; ok {
		if n := root.Get("sampling").Get("n"); n.Is(jsondoc.Number) && !sameNumber(said, n) {
			complain("--n", said, "sampling.n", n.Text())
		}
	}
	if said, ok := tokenName(words); ok {
		if n := root.Get("token").Get("path"); isText(n) && !sameName(said, n.Text()) {
			complain("the token name", said, "token.path", n.Text())
		}
	}
	if said, ok := flags["--brief"]; ok {
		if n := root.Get("brief").Get("path"); isText(n) && !sameName(said, n.Text()) {
			complain("--brief", said, "brief.path", n.Text())
		}
	}
	if said, ok := flags["--report"]; ok {
		if report := ReportPath(j.e.Path); !samePath(said, report) {
			complain("--report", said, "this report,", report)
		}
	}
	if said, ok := flags["--models"]; ok && root.Get("models").Is(jsondoc.Array) && j.whole(root.Get("models")) {
		all = append(all, j.modelDisagreements(said)...)
	}
	return all
}

func (j *checker) modelDisagreements(said string) []string {
	if len(said) > maxList {
		return []string{"--models is too long to be compared"}
	}
	asked := strings.Split(said, ",")
	names := make(map[string]bool)
	for i, a := range asked {
		a = strings.TrimSpace(a)
		asked[i], names[a], names[bare(a)] = a, true, true
	}
	ran := make(map[string]bool)
	var extra, absent, all []string
	for _, m := range j.doc.Root.Get("models").Items() {
		id := m.Get("id")
		if !isText(id) {
			return nil // a field of its own has failed
		}
		ran[id.Text()], ran[bare(id.Text())] = true, true
		if !names[id.Text()] && !names[bare(id.Text())] {
			extra = append(extra, id.Text())
		}
	}
	for _, a := range asked {
		if a != "" && !ran[a] && !ran[bare(a)] {
			absent = append(absent, a)
		}
	}
	if len(extra) > 0 {
		all = append(all, "--models does not name "+list(extra))
	}
	if len(absent) > 0 {
		all = append(all, "models lacks "+list(absent)+" of --models")
	}
	return all
}

// flagValues reads "--name value" and "--name=value"; the last one counts.
func flagValues(words []*jsondoc.Node) map[string]string {
	flags := make(map[string]string)
	for i := argvSubcommand; i < len(words); i++ {
		word := words[i].Text()
		if !strings.HasPrefix(word, "--") {
			continue
		}
		if name, value, ok := strings.Cut(word, "="); ok {
			flags[name] = value
		} else if i+1 < len(words) {
			flags[word] = words[i+1].Text()
		}
	}
	return flags
}

// tokenName is the word that names the token, if the command has the usual
// order.
func tokenName(words []*jsondoc.Node) (string, bool) {
	if len(words) <= argvTokenName {
		return "", false
	}
	subcommand, name := words[argvSubcommand].Text(), words[argvTokenName].Text()
	return name, !strings.HasPrefix(subcommand, "-") && !strings.HasPrefix(name, "-")
}

// sameName reports whether said names the file at a recorded path, with or
// without its ending.
func sameName(said, recorded string) bool {
	a, b := path.Base(slashed(said)), path.Base(slashed(recorded))
	return a == b || a == strings.TrimSuffix(b, path.Ext(b))
}

func sameNumber(text string, n *jsondoc.Node) bool {
	a, err := strconv.ParseFloat(text, 64)
	b, ok := n.Float()
	return err == nil && ok && a == b
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@=,+-]+$`)

// quoted joins words as a shell would take them, up to about limit bytes.
func quoted(words []*jsondoc.Node, limit int) string {
	var b strings.Builder
	for i, w := range words {
		if b.Len() > limit {
			b.WriteString(" …")
			break
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quotedWord(verify.Shorten(w.Text(), limit)))
	}
	return verify.Shorten(b.String(), limit)
}

// quotedWord is one word as the reference writes it for a shell.
func quotedWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
