package ahd

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/replay-gate/replay-gate/verify/jsondoc"
)

// requestIDs names the one member whose values are never shown (AHD replay,
// Markdown redactions).
const requestIDs = "provider_request_ids"

// maxModels bounds the models that are checked one by one, and with them the
// length of a result.
const maxModels = 256

func (j *checker) models() {
	list := j.member(j.doc.Root, "models", "models", jsondoc.Array)
	if list == nil {
		return
	}
	items := list.Items()
	if len(items) == 0 && j.whole(list) {
		if j.isBackfilled() || j.broken() {
			j.OK("models", j.at(list), "the models were not stored").Recorded = "0 models"
		} else {
			j.Warn("models", j.at(list), "empty", "only a backfilled sidecar may name no model").Recorded = "0 models"
		}
	}
	if len(items) > maxModels {
		j.Fail("models", j.at(list), "too-many", fmt.Sprintf("holds %d models, of which the first %d are checked", len(items), maxModels))
		items = items[:maxModels]
	}
	seen := make(map[string]bool)
	for i, m := range items {
		field := "models[" + strconv.Itoa(i) + "]"
		if !m.Is(jsondoc.Object) {
			j.Fail(field, j.at(m), "wrong-type", mustBe(m, jsondoc.Object))
			continue
		}
		for _, name := range []string{"id", "provider"} {
			if n := j.text(m, name, field+"."+name); n != nil {
				j.OK(field+"."+name, j.at(n), "")
			}
		}
		field += "." + requestIDs
		if ids, ok := j.texts(m, requestIDs, field); ok {
			j.requestIDs(field, m, ids, seen)
		}
	}
}

// captured is what people see of the request ids: how many there are.
func captured(ids *jsondoc.Node) string {
	return strconv.Itoa(len(ids.Items())) + " captured"
}

// sameModel reports whether two spellings name one model. A command names a
// model by its provider's prefix ("cf:@cf/x"), which the sidecar may leave out.
func sameModel(a, b string) bool {
	return a == b || bare(a) == b || a == bare(b)
}

func bare(model string) string {
	if _, rest, ok := strings.Cut(model, ":"); ok {
		return rest
	}
	return model
}
