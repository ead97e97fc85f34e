package ahd

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify"
	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// report judges the markdown that the sidecar belongs to. The sidecar is the
// authority: its report may leave out, but not contradict (AHD replay, Two
// surfaces and Markdown redactions).
func (j *checker) report() {
	const field = "report"
	name, data, err := j.subject()
	if file := j.rootFile(); file != "" {
		j.r.Inputs = append(j.r.Inputs, verify.Input{Role: "root", Path: file, Place: verify.PlaceInputs})
	}
	entries, found := parseBlock(data)
	var row *verify.Check
	switch {
	case errors.Is(err, fs.ErrNotExist):
		row = j.Warn(field, verify.Spot{}, "report-missing", "there is no report beside the sidecar")
	case err != nil:
		row = j.Fail(field, verify.Spot{}, "unreadable", verify.ReadReason(err))
	case !found:
		row = j.OK(field, verify.Spot{}, "it has no replay block")
	default:
		row = j.OK(field, verify.Spot{}, "")
	}
	row.Observed, row.Input = verify.Shorten(name, verify.MaxValue), name
	if j.broken() {
		return
	}
	at := len(j.Checks) - 1
	j.lookalikes(data, name)
	if !found {
		return
	}
	before := len(j.Checks)
	compared := j.compareBlock(entries, name) + j.compareCommands(data, name)
	if contradictions := len(j.Checks) - before; contradictions == 0 {
		j.Checks[at].Reason = fmt.Sprintf("its replay block agrees in %d values", compared)
	}
}

// subject reads the report and lists it as what the sidecar vouches for.
func (j *checker) subject() (name string, data []byte, err error) {
	name = ReportPath(j.e.Path)
	data, err = j.e.Tree.ReadFile(name, verify.MaxEvidence)
	j.r.Inputs = append(j.r.Inputs, verify.Input{
		Role: "report", Path: name, Missing: errors.Is(err, fs.ErrNotExist), Place: verify.PlaceReport, Subject: true,
	})
	return name, data, err
}

// compareBlock fails every value of the block that contradicts the sidecar, and
// returns how many values were compared.
func (j *checker) compareBlock(entries []entry, report string) (compared int) {
	models := j.doc.Root.Get("models")
	match := j.matchModels(entries)
	for _, en := range entries {
		if !slices.Contains(known[en.section], en.key) || isRedacted(en.value) {
			continue
		}
		object, field := j.doc.Root, "report."+en.key
		switch {
		case en.section == "models" && en.item < 0:
			continue
		case en.section == "models" && match[en.item] < 0:
			if en.key == "id" {
				j.contradict("report.models["+strconv.Itoa(en.item)+"].id", models, en, report)
			}
			continue
		case en.section == "models":
			i := match[en.item]
			object, field = models.Items()[i], "report.models["+strconv.Itoa(i)+"]."+en.key
		case en.section != "":
			object, field = object.Get(en.section), "report."+en.section+"."+en.key
		}
		n := object.Get(en.key)
		if object.Is(jsondoc.Null) {
			n = object // not a field that is missing: the sidecar has no such thing
		}
		if j.publishedIDs(field, n, en, report) {
			compared++
			continue
		}
		if !comparableValue(en, n) {
			continue
		}
		compared++
		if en.section == "conditions" && len(j.doc.Raw(n)) > maxList || !agrees(en.key, n, en.value) {
			j.contradict(field, n, en, report)
		}
	}
	return compared
}

// comparableValue reports whether a block's value can be held against n. Lists
// and objects can be written in many ways; of those, the block has only request
// counts and conditions.
func comparableValue(en entry, n *jsondoc.Node) bool {
	switch n.Kind() {
	case 0:
		return false
	case jsondoc.Object:
		return isNull(en.value)
	case jsondoc.Array:
		return en.key == requestIDs && isCount(en.value) || en.section == "conditions"
	}
	return en.key != requestIDs
}

func (j *checker) contradict(field string, n *jsondoc.Node, en entry, report string) {
	c := j.Fail(field, j.at(n), "contradicts", fmt.Sprintf("%s says otherwise on line %d", verify.Shorten(report, 512), en.line))
	c.Observed, c.Input = verify.Shorten(en.value, verify.MaxValue), report
	switch {
	case en.key == "argv":
		c.Recorded = verify.Shorten(commandLine(n), verify.MaxValue)
	case en.key == requestIDs:
		c.Recorded, c.Observed = captured(n), withoutComment(en.value)
	case en.section == "conditions" && len(j.doc.Raw(n)) > maxList:
		c.Recorded = strconv.Itoa(len(n.Items())) + " conditions"
	case en.section == "conditions":
		c.Recorded = verify.Shorten(flowList(n), verify.MaxValue)
	}
}

// matchModels gives, for each item of the block's list, the index of the
// sidecar's model, -1 for none. It goes by id, so that a model left out of the
// report shifts nothing, and by position where that fails and the lists are of
// one length.
func (j *checker) matchModels(entries []entry) []int {
	var ids []string
	for _, en := range entries {
		if en.section != "models" || en.item < 0 {
			continue
		}
		for len(ids) <= en.item {
			ids = append(ids, "")
		}
		if en.key == "id" && !isRedacted(en.value) {
			ids[en.item] = withoutComment(en.value)
		}
	}
	models := j.doc.Root.Get("models").Items()
	taken := make([]bool, min(len(models), maxModels))
	match := make([]int, len(ids))
	for item, id := range ids {
		match[item] = -1
		for i := range taken {
			if n := models[i].Get("id"); !taken[i] && isText(n) && sameModel(n.Text(), id) {
				match[item], taken[i] = i, true
				break
			}
		}
	}
	for item := range match {
		if match[item] < 0 && len(match) == len(taken) && !taken[item] {
			match[item] = item
		}
	}
	return match
}

// agrees reports whether seen, in a report, stands for the sidecar's n.
func agrees(key string, n *jsondoc.Node, seen string) bool {
	if plain := withoutComment(seen); plain != seen && agrees(key, n, plain) {
		return true
	}
	switch n.Kind() {
	case jsondoc.Null:
		return isNull(seen)
	case jsondoc.Number:
		return sameNumber(seen, n)
	case jsondoc.Array:
		if key == requestIDs {
			return seen == captured(n)
		}
		return sameList(texts(n), seen)
	case jsondoc.String:
		recorded := n.Text()
		switch key {
		case "hash", "ahd_commit": // shortened for people
			const shortest = 7
			seen = strings.TrimRight(seen, ".…")
			return len(strings.TrimPrefix(seen, "sha256:")) >= shortest && strings.HasPrefix(recorded, seen)
		case "path":
			return samePath(recorded, seen)
		case "id":
			return sameModel(recorded, seen)
		}
	}
	return n.Text() == seen
}

// maxList bounds the lists that are compared, in bytes: one that is written in one
// string takes many times its size when it is cut into its elements, and a block
// can name it a thousand times. A longer one agrees with nothing.
const maxList = 16 << 10

// sameList compares a flow list such as "[raw, compiled]" with the recorded
// names.
func sameList(recorded []string, seen string) bool {
	inner, ok := strings.CutPrefix(seen, "[")
	if !ok || len(seen) > maxList {
		return false
	}
	inner = strings.TrimSuffix(strings.TrimRight(strings.TrimSuffix(inner, "]"), " "), ",")
	// Both sides are split alike, as a recorded name may hold a comma itself.
	return slices.Equal(elements(strings.Join(recorded, ",")), elements(inner))
}

func elements(s string) []string {
	parts := strings.Split(s, ",")
	for i, p := range parts {
		parts[i] = unquote(strings.TrimSpace(p))
	}
	return parts
}

// isCount recognises "3 captured".
func isCount(s string) bool {
	count, ok := strings.CutSuffix(withoutComment(s), " captured")
	if !ok {
		return false
	}
	_, err := strconv.ParseUint(count, 10, 64)
	return err == nil
}

func isNull(s string) bool { return s == "~" || strings.EqualFold(s, "null") }

// isRedacted recognises a value that was taken out: nothing, or the word.
func isRedacted(s string) bool {
	return s == "" || strings.EqualFold(strings.Trim(s, "[]<>()* "), "redacted")
}

// withoutComment drops what follows " #", a comment in YAML, and the quotes of
// what is left.
func withoutComment(s string) string {
	plain, _, commented := strings.Cut(s, " #")
	if !commented {
		return s
	}
	return unquote(strings.TrimRight(plain, " "))
}
