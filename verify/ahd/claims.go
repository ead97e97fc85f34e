package ahd

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// claims are what the sidecar is a word on: for each model how it does with this token
// and this brief in this kind of run; for a run that names no model, such as one that made
// images, kind, token and brief alone. A text that can't be read whole claims nothing.
func (j *checker) claims() []verify.Claim {
	root := j.doc.Root
	kind := root.Get("kind")
	if j.broken() || !isText(kind) || !isText(root.Get("token").Get("path")) {
		return nil
	}
	topic := strings.Join([]string{
		strconv.Quote(kind.Text()), strconv.Quote(j.inputName("token")), strconv.Quote(j.inputName("brief")),
	}, " ")
	word := verify.Claim{
		About: topic, Topic: topic, Name: shown(kind), At: j.start(), Conditions: j.ran(), Backfilled: j.isBackfilled(),
	}
	if n, ok := root.Get("sampling").Get("n").Int(); ok && n > 0 {
		word.Samples = int(n)
	}
	models := root.Get("models").Items()
	if len(models) == 0 {
		return []verify.Claim{word}
	}
	var all []verify.Claim
	for _, m := range models[:min(len(models), maxModels)] {
		id := m.Get("id")
		if !isText(id) || strings.TrimSpace(id.Text()) == "" {
			continue
		}
		word.About, word.Name = topic+" "+strconv.Quote(modelName(id.Text())), shown(id)
		if !slices.ContainsFunc(all, func(c verify.Claim) bool { return c.About == word.About }) {
			all = append(all, word)
		}
	}
	return all
}

// inputName is the place of an input in the tree, so that a path recorded on another
// machine is the same input; or the path as recorded, where it leads nowhere.
func (j *checker) inputName(role string) string {
	n := j.doc.Root.Get(role).Get("path")
	if !isText(n) {
		return ""
	}
	if p := j.locate(n.Text()); p.path != "" {
		return p.path
	}
	return slashed(n.Text())
}

// modelName is a model's id without the prefix of its provider, which some writers leave
// out: "cf:@cf/google/gemma" is "@cf/google/gemma".
func modelName(id string) string {
	if _, rest, ok := strings.Cut(id, ":"); ok && strings.HasPrefix(rest, "@") {
		return rest
	}
	return id
}

// start is when the run began; the zero time if that is not recorded.
func (j *checker) start() time.Time {
	n := j.doc.Root.Get("invoked_at")
	if !isText(n) || !isoTime.MatchString(n.Text()) {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, n.Text())
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// ran are the conditions that ran.
func (j *checker) ran() []string {
	var all []string
	for _, n := range j.doc.Root.Get("conditions").Get("effective").Items() {
		if isText(n) && len(all) < maxModels {
			all = append(all, strings.Clone(shown(n)))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
