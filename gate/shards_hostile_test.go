package gate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replay-gate/replay-gate/gate"
)

// Issue 17: parts are hostile input. Whatever stands in one, merge ends with a report or with
// an error that says what to do.
func TestMergeOutlivesHostileParts(t *testing.T) {
	t.Parallel()
	at := newSite(t)
	at.report("2026-08-03-swiss", swiss, "2026-08-03", "m-1")
	at.report("2026-08-04-green", green, "2026-08-04", "m-2")
	at.base()
	at.edit(swiss, "base: 17", "base: 18")
	at.edit("docs/evals/2026-08-04-green.replay.json", `"n": 30`, `"n": 31`)
	at.commit("Larger scale")
	o := gate.Options{Root: at.cloned(t), Base: "base", Clock: now, Version: "0.0.0", Scope: "all", Merge: true}
	at.sharded(t, 1, gate.Options{Base: "base", Clock: now, Version: "0.0.0", Scope: "all"}, filepath.Join(o.Root, gate.DefaultParts))
	name := filepath.Join(o.Root, gate.DefaultParts, "part-0", "part.json")
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	runs := 150
	if testing.Short() {
		runs = 30
	}
	refused := 0
	for seed := range runs {
		var part any
		if err := json.Unmarshal(good, &part); err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(seed), 17))
		what := spoil(r, part)
		data, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = gate.Run(t.Context(), o)
		var known *gate.Error
		switch {
		case errors.As(err, &known) && known.NextStep != "":
			refused++
		case err != nil:
			t.Fatalf("%s: %v", what, err)
		}
	}
	if refused < runs/5 {
		t.Errorf("%d of %d were refused: the parts are not as hostile as they should be", refused, runs)
	}
}

// spoil replaces something at a random place of a JSON value, and says what.
func spoil(r *rand.Rand, v any) string {
	var places []func() string
	var walk func(path string, v any, set func(any))
	walk = func(path string, v any, set func(any)) {
		if set != nil {
			places = append(places, func() string {
				bad := []any{
					"", "../../etc/passwd", "/etc/passwd", "a\x00b", "sha256:", strings.Repeat("x", 5000), "::error::x", "9999-99-99",
					-1, 0, 7, 1 << 40, 1.5, true, nil, []any{}, map[string]any{},
				}[r.IntN(17)]
				if s, ok := v.(string); ok && r.IntN(2) == 0 {
					bad = s + "x"
				}
				set(bad)
				return fmt.Sprintf("%s = %.40v", path, bad)
			})
		}
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(path+"."+k, v[k], func(x any) { v[k] = x })
			}
		case []any:
			for i, sub := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), sub, func(x any) { v[i] = x })
			}
		}
	}
	walk("", v, nil)
	return places[r.IntN(len(places))]()
}
