package bundle

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/replay-gate/replay-gate/verify"
)

// Kind is the kind of the results that [Check] gives.
const Kind = "bundle"

// Check judges the bundle that r holds, one check for each rule and each file,
// and calls it name. It never fails: a source that can't be read is a check too,
// and sets Unchecked.
//
// The rules are those of Replay Bundle v1, section 3, and of Assay's reader; in
// a few places they are stricter than that reader, which accepts links, damaged
// checksums and trailing data. Everything that Assay itself writes passes.
func Check(r io.Reader, name string, l Limits) verify.Result {
	res := verify.Result{Path: name, Kind: Kind}
	sc, err := scanArchive(r, l, true)
	if err == nil {
		defer sc.store.close()
	}
	if err != nil {
		res.Unchecked = err.Error()
		res.Checks = []verify.Check{{
			Field: Kind, Status: verify.Fail, Code: "unreadable", Reason: err.Error(), Location: verify.Location{Path: name},
		}}
		return res
	}
	x := examine(sc)
	res.SHA256 = sc.digest
	res.Checks = append(x.rows(name), x.secrets(name)...)
	if x.limit != nil {
		res.Unchecked = x.limit.Error()
	} else if i := slices.IndexFunc(sc.problems, func(p problem) bool { return p.rule == ruleGzip || p.rule == ruleTar }); i >= 0 {
		res.Unchecked = "not a readable archive: " + sc.problems[i].reason
	} else if x.manifest == nil {
		res.Unchecked = "no readable manifest: " + x.wrong[0].reason
	} else if x.manifest.SchemaVersion != 1 {
		res.Unchecked = fmt.Sprintf("schema version %d is not supported: 1 is the only one there is", x.manifest.SchemaVersion)
	}
	return res
}

// maxFileRows bounds the checks about single files. What exceeds it is counted;
// of FAILs, as many again are kept.
const maxFileRows = 2000

// table collects checks in order.
type table struct {
	path    string
	checks  []verify.Check
	limit   int // if set, as maxFileRows
	dropped int
	failing int // of those dropped
}

func (t *table) add(field string, status verify.Status, code, reason, recorded, observed string) {
	if n := len(t.checks); t.limit > 0 && n >= t.limit && (status != verify.Fail || n >= 2*t.limit) {
		t.dropped++
		if status == verify.Fail {
			t.failing++
		}
		return
	}
	t.checks = append(t.checks, verify.Check{
		Field: verify.Shorten(field, maxName+64), Status: status, Code: code, Reason: reason,
		Recorded: verify.Shorten(recorded, verify.MaxValue), Observed: verify.Shorten(observed, verify.MaxValue),
		Location: verify.Location{Path: t.path},
	})
}

func (t *table) ok(field, recorded, observed string) {
	t.add(field, verify.OK, "", "", recorded, observed)
}

func (x *examination) rows(name string) []verify.Check {
	t := &table{path: name}
	if x.limit != nil {
		t.add(ruleLimits, verify.Fail, "limit-exceeded", x.limit.Error(), "", "")
	} else {
		t.ok(ruleLimits, "", fmt.Sprintf("%d bytes, %d entries", x.size, len(x.entries)))
	}
	x.structure(t)
	if x.manifest != nil && x.limit == nil {
		x.header(t)
		x.listed(t)
		x.contents(t)
		x.references(t)
		x.coverage(t)
		x.texts(t)
		x.extras(t)
	}
	return t.checks
}

// structure gives one ok row for each structural rule that holds, and one row
// for each violation of one that does not.
func (x *examination) structure(t *table) {
	for _, rule := range []string{ruleGzip, ruleTrailing, ruleTar, rulePaths, ruleTypes, ruleUnique, ruleManifest} {
		n := len(t.checks)
		for _, p := range slices.Concat(x.problems, x.wrong) {
			if p.rule == rule || rule == ruleManifest && strings.HasPrefix(p.rule, ruleManifest+".") {
				t.add(p.rule, p.status, p.code, p.sentence(), "", "")
			}
		}
		if more := x.more[rule]; more > 0 {
			t.add(rule, verify.Fail, "more", fmt.Sprintf("and %d more", more), "", "")
		}
		// After an early end nobody knows whether a rule holds.
		if len(t.checks) == n && x.limit == nil && (x.ended || rule == ruleManifest && x.manifest != nil) {
			t.ok(rule, "", "")
		}
	}
}

// header judges the members of the manifest that stand for themselves.
func (x *examination) header(t *table) {
	m := x.manifest
	if m.SchemaVersion == 1 {
		t.ok("manifest.schema_version", "1", "")
	} else {
		t.add("manifest.schema_version", verify.Fail, "unsupported-version", "is not 1, the only version there is",
			strconv.FormatUint(uint64(m.SchemaVersion), 10), "")
	}
	if m.AssayVersion != "" {
		t.ok("manifest.assay_version", m.AssayVersion, "")
	} else {
		t.add("manifest.assay_version", verify.Fail, "empty", "is empty", "", "")
	}
	if m.CreatedAt != "" {
		when, err := time.Parse(time.RFC3339, m.CreatedAt)
		if _, offset := when.Zone(); err == nil && offset == 0 {
			t.ok("manifest.created_at", m.CreatedAt, "")
		} else {
			t.add("manifest.created_at", verify.Warn, "not-utc-time", "is not an ISO 8601 time in UTC", m.CreatedAt, "")
		}
	}
	if m.Seeds != nil {
		for _, s := range []struct{ field, seed string }{{"order_seed", m.Seeds.OrderSeed}, {"judge_seed", m.Seeds.JudgeSeed}} {
			field := "manifest.seeds." + s.field
			switch {
			case s.seed == "":
			case strings.Trim(strings.TrimPrefix(s.seed, "-"), "0123456789") == "":
				t.ok(field, s.seed, "")
			default:
				t.add(field, verify.Warn, "not-decimal", "is not a decimal number", s.seed, "")
			}
		}
	}
}

// find returns the entry called name.
func (x *examination) find(name string) (Entry, bool) {
	return findEntry(x.entries, name)
}

// listed compares manifest.files with the entries, in both directions.
func (x *examination) listed(t *table) {
	names := make([]string, 0, len(x.manifest.Files))
	for name := range x.manifest.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	single := table{path: t.path, limit: maxFileRows}
	for _, name := range names {
		x.file(&single, name, x.manifest.Files[name])
	}
	unlisted := 0
	for _, e := range x.entries {
		if _, ok := x.manifest.Files[e.Name]; !ok {
			unlisted++
			single.add(fileField(e.Name), verify.Warn, "unlisted", "is in the archive, and the manifest does not list it", "", e.SHA256)
		}
	}
	t.checks = append(t.checks, single.checks...)
	if single.dropped > 0 {
		status := verify.Info
		if single.failing > 0 {
			status = verify.Fail
		}
		t.add("manifest.files", status, "more", fmt.Sprintf("and %d more checks of single files, of which %d fail", single.dropped, single.failing), "", "")
	}
	switch {
	case len(x.entries) > 0 && len(names) == 0:
		t.add("manifest.files", verify.Warn, "absent", "lists no file, so nothing is pinned", "", fmt.Sprintf("%d entries", len(x.entries)))
	default:
		t.add("manifest.files", verify.Info, "count", "files are listed", strconv.Itoa(len(names)), fmt.Sprintf("%d entries, %d unlisted", len(x.entries), unlisted))
	}
}

func fileField(name string) string { return fmt.Sprintf("files[%q]", name) }

func (x *examination) file(t *table, name string, f File) {
	field := fileField(name)
	e, ok := x.find(name)
	if !ok {
		t.add(field, verify.Fail, codeAbsent, "the manifest lists it, and it is not in the archive", f.SHA256, "")
		return
	}
	switch want, bare, ok := digestForm(f.SHA256); {
	case !ok:
		t.add(field+".sha256", verify.Fail, "malformed-digest", "is not sha256: and 64 lower-case hex digits", f.SHA256, e.SHA256)
	case want != e.SHA256:
		t.add(field+".sha256", verify.Fail, "hash-differs", "the content is not what the manifest says", f.SHA256, e.SHA256)
	case bare:
		t.add(field+".sha256", verify.Warn, "bare-digest", "is written without sha256:", f.SHA256, e.SHA256)
	default:
		t.ok(field+".sha256", f.SHA256, e.SHA256)
	}
	size := strconv.FormatUint(f.Size, 10)
	if f.Size == uint64(e.Size) {
		t.ok(field+".size", size, size)
	} else {
		t.add(field+".size", verify.Fail, "size-differs", "the content is not as long as the manifest says", size, strconv.FormatInt(e.Size, 10))
	}
	if f.Mode != nil {
		recorded, observed := fmt.Sprintf("%04o", *f.Mode), fmt.Sprintf("%04o", uint32(e.Mode))
		if recorded == observed {
			t.ok(field+".mode", recorded, observed)
		} else {
			t.add(field+".mode", verify.Warn, "mode-differs", "the archive has another mode", recorded, observed)
		}
	}
	if want := contentType(name); f.ContentType == want {
		if want != "" {
			t.ok(field+".content_type", f.ContentType, want)
		}
	} else {
		t.add(field+".content_type", verify.Warn, "content-type-differs", "is not what the name implies", f.ContentType, want)
	}
}
