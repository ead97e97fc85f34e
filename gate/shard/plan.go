package shard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Subject is what a plan is of. Whoever plans the same subject with the same evidence gets
// the same plan, on any machine.
type Subject struct {
	Tool    string    `json:"tool"`    // name and version
	Commit  string    `json:"commit"`  // the head
	Bases   []string  `json:"bases"`   // commits, the best known first
	Now     time.Time `json:"now"`     // that both sides are judged at
	Options []string  `json:"options"` // that a result depends on, as "name=value"
}

// Item is one piece of evidence to be shared out.
type Item struct {
	Path string `json:"path"`
	// Size is that of the evidence itself, in bytes: what it pins is not known before it is
	// judged.
	Size int64 `json:"size"`
}

// Plan says which evidence is whose.
type Plan struct {
	Shards int
	// Digest stands for all of the plan: subject, evidence and number of shards.
	Digest string
	// Weight is that of all evidence.
	Weight int64

	tool, commit string
	owner        map[string]int // from 1
}

// fixed is what a piece of evidence costs apart from its size, as that many bytes: its own
// are a small part of what judging and bundling it takes (docs/shards.md has the figures).
const fixed = 32 << 10

func (it Item) weight() int64 { return fixed + it.Size }

// The shards that pay, which docs/shards.md derives from measured figures: one for each so
// much weight, which is that of 15,000 small sidecars; none but one where fewer than enough
// would come of it, as two more jobs in a row take longer to start than is won; and no more
// than many, as all wait for the one machine that puts the parts together.
const (
	perShard = 15_000 * (fixed + 2<<10)
	enough   = 4
	many     = 8
)

// New makes the plan of some evidence for so many shards; 0 is as many as pay. The heaviest
// piece goes to the lightest shard, and so on: no shard is heavier than another by more than
// one piece.
func New(of Subject, items []Item, shards int) *Plan {
	items = slices.Clone(items)
	p := &Plan{Shards: shards, tool: of.Tool, commit: of.Commit, owner: make(map[string]int, len(items))}
	for _, it := range items {
		p.Weight += it.weight()
	}
	if shards == 0 {
		if p.Shards = int(min(p.Weight/perShard, many)); p.Shards < enough {
			p.Shards = 1
		}
	}
	slices.SortFunc(items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Path, b.Path))
	})
	loads := make([]int64, p.Shards)
	for _, it := range items {
		lightest := 0
		for i, load := range loads {
			if load < loads[lightest] {
				lightest = i
			}
		}
		loads[lightest] += it.weight()
		p.owner[it.Path] = 1 + lightest
	}
	p.Digest = digest(struct {
		Schema  string  `json:"schema"`
		Subject Subject `json:"subject"`
		Shards  int     `json:"shards"`
		Items   []Item  `json:"items"`
	}{"replay-gate.plan/v1", of, p.Shards, items})
	return p
}

// Owner is the shard, from 1, that evidence belongs to; 0 for evidence that no plan knew.
func (p *Plan) Owner(path string) int { return p.owner[path] }

// Matrix is the plan as the matrix of a workflow's job takes it: an entry for each shard, with
// a name that a file or an artifact can have.
func (p *Plan) Matrix() string {
	type entry struct {
		Shard string `json:"shard"`
		Part  string `json:"part"`
	}
	list := make([]entry, p.Shards)
	for i := range list {
		list[i] = entry{Share{1 + i, p.Shards}.String(), fmt.Sprintf("%d-of-%d", 1+i, p.Shards)}
	}
	data, _ := json.Marshal(map[string][]entry{"include": list}) // texts can't fail
	return string(data)
}

func digest(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprint("shard: ", err)) // of numbers and texts alone
	}
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
