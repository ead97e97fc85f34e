package sigmapol

import (
	"encoding/json"
	"testing"
)

const (
	rowsABC = `[{"provider_id":"a","model_family":"m"},{"provider_id":"b","model_family":"n"},{"provider_id":"c","model_family":"m"}]`
	failedA = `{"event":"attempted","provider_id":"a","model_family":"m","attempt":1,"latency_ms":3,"error_kind":"timeout"}`
	failedB = `{"event":"attempted","provider_id":"b","model_family":"n","attempt":1,"error_kind":"rate_limit"}`
	okB     = `{"event":"attempted","provider_id":"b","model_family":"n","attempt":1}`
	okC     = `{"event":"attempted","provider_id":"c","model_family":"m","attempt":1}`
	skipB   = `{"event":"skipped","provider_id":"b","model_family":"n","reason":"disabled_provider"}`
	disable = `{"event":"provider_disabled","provider_id":"a","reason":"timeout"}`
)

// retry writes retry n of candidate a after a pause, and again the attempt after it.
func retry(n, ms string) string {
	return `{"event":"retry_scheduled","provider_id":"a","model_family":"m","attempt":` + n + `,"backoff_ms":` + ms + `}`
}

func again(n, more string) string {
	return `{"event":"attempted","provider_id":"a","model_family":"m","attempt":` + n + more + `}`
}

const timeout = `,"error_kind":"timeout"`

// TestWalk pins the failover of the engine, one rule per case.
func TestWalk(t *testing.T) {
	type want struct {
		answered int
		failure  string
		diverges string
	}
	none := -1
	for _, tt := range []struct {
		name, action string
		ranked       string
		path         []string
		want         want
	}{
		{"first answers", `{"action":"abort"}`, rowsABC, []string{again("1", "")}, want{answered: 0}},
		{"nothing survived", `{"action":"abort"}`, `[]`, nil, want{none, "no_candidates", ""}},
		{"an event though nothing survived", `{"action":"abort"}`, `[]`, []string{okB}, want{none, "", `event 1: expected the end of the path, recorded attempted "b" "n" attempt 1`}},
		{"abort stops", `{"action":"abort"}`, rowsABC, []string{failedA}, want{none, "timeout", ""}},
		{"abort doesn't go on", `{"action":"abort"}`, rowsABC, []string{failedA, okB}, want{none, "", `event 2: expected the end of the path, recorded attempted "b" "n" attempt 1`}},
		{"next candidate", `{"action":"next_candidate"}`, rowsABC, []string{failedA, okB}, want{answered: 1}},
		{"next candidate isn't tried", `{"action":"next_candidate"}`, rowsABC, []string{failedA}, want{none, "", `event 2: expected attempted "b" "n" attempt 1, recorded the end of the path`}},
		{"a candidate is left out", `{"action":"next_candidate"}`, rowsABC, []string{failedA, okC}, want{none, "", `event 2: expected attempted "b" "n" attempt 1, recorded attempted "c" "m" attempt 1`}},
		{"list used up", `{"action":"next_candidate"}`, `[{"provider_id":"a","model_family":"m"}]`, []string{failedA}, want{none, "exhausted: timeout", ""}},
		{"disabled provider is skipped", `{"action":"next_candidate"}`, rowsABC, []string{failedA, skipB, okC}, want{answered: 2}},
		{"everything skipped", `{"action":"abort"}`, `[{"provider_id":"b","model_family":"n"}]`, []string{skipB}, want{none, "exhausted: no_candidates", ""}},
		{"disable provider", `{"action":"disable_provider"}`, rowsABC, []string{failedA, disable, okB}, want{answered: 1}},
		{"disabling isn't recorded", `{"action":"disable_provider"}`, rowsABC, []string{failedA, okB}, want{none, "", `event 2: expected provider_disabled "a" reason "timeout", recorded attempted "b" "n" attempt 1`}},
		{"disabled for another reason", `{"action":"disable_provider"}`, rowsABC, []string{failedA, `{"event":"provider_disabled","provider_id":"a","reason":"auth_error"}`}, want{none, "", `event 2: expected provider_disabled "a" reason "timeout", recorded provider_disabled "a" reason "auth_error"`}},
		{"same model elsewhere", `{"action":"next_provider_same_model"}`, rowsABC, []string{failedA, okC}, want{answered: 2}},
		{"same model nowhere", `{"action":"next_provider_same_model"}`, `[{"provider_id":"a","model_family":"m"},{"provider_id":"b","model_family":"n"}]`, []string{failedA}, want{none, "exhausted: timeout", ""}},
		{"retry once by default, without pause", `{"action":"retry_same"}`, rowsABC, []string{failedA, retry("1", "0"), again("2", timeout), okB}, want{answered: 1}},
		{"retry answers", `{"action":"retry_same","attempts":3,"backoff_ms":7}`, rowsABC, []string{failedA, retry("1", "7"), again("2", "")}, want{answered: 0}},
		{"last pause is repeated", `{"action":"retry_same","attempts":3,"backoff_ms":[10,20]}`, rowsABC,
			[]string{failedA, retry("1", "10"), again("2", timeout), retry("2", "20"), again("3", timeout), retry("3", "20"), again("4", "")}, want{answered: 0}},
		{"another pause", `{"action":"retry_same","backoff_ms":10}`, rowsABC, []string{failedA, retry("1", "11")}, want{none, "", `event 2: expected retry_scheduled "a" "m" attempt 1 backoff 10 ms, recorded retry_scheduled "a" "m" attempt 1 backoff 11 ms`}},
		{"no retry at all", `{"action":"retry_same","attempts":0}`, rowsABC, []string{failedA, okB}, want{answered: 1}},
		{"then abort", `{"action":"retry_same","then_action":"abort"}`, rowsABC, []string{failedA, retry("1", "0"), again("2", timeout)}, want{none, "timeout", ""}},
		{"any other then_action is the next candidate", `{"action":"retry_same","then_action":"next_provider_same_model"}`, rowsABC,
			[]string{failedA, retry("1", "0"), again("2", timeout), okB}, want{answered: 1}},
		{"attempts count from 1 again", `{"action":"retry_same"}`, rowsABC,
			[]string{failedA, retry("1", "0"), again("2", timeout), failedB, `{"event":"retry_scheduled","provider_id":"b","model_family":"n","attempt":1,"backoff_ms":0}`, `{"event":"attempted","provider_id":"b","model_family":"n","attempt":2}`}, want{answered: 1}},
		{"attempt number is missing", `{"action":"abort"}`, rowsABC, []string{again("null", "")}, want{none, "", `event 1: expected attempted "a" "m" attempt 1, recorded attempted "a" "m"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ranked []Row
			if err := json.Unmarshal([]byte(tt.ranked), &ranked); err != nil {
				t.Fatal(err)
			}
			got := Walk(mustParse(t, `["always",`+tt.action+`]`), ranked, len(ranked), events(t, tt.path))
			diverges := ""
			if got.Divergence != nil {
				diverges = got.Divergence.String()
			}
			if diverges != tt.want.diverges {
				t.Errorf("divergence\n got %s\nwant %s", diverges, tt.want.diverges)
			}
			if got.Answered != tt.want.answered || got.Error != tt.want.failure {
				t.Errorf("answered by row %d, error %q; want row %d, error %q", got.Answered, got.Error, tt.want.answered, tt.want.failure)
			}
			if got.Complete != (tt.want.diverges == "") {
				t.Errorf("complete: %t", got.Complete)
			}
		})
	}
}

func events(t *testing.T, path []string) []Event {
	t.Helper()
	es := make([]Event, len(path))
	for i, raw := range path {
		if err := json.Unmarshal([]byte(raw), &es[i]); err != nil {
			t.Fatal(err)
		}
	}
	return es
}

// A trace lists at most ten of the ranked candidates: beyond them a path is neither right nor wrong.
func TestWalkBeyondTheRecordedRows(t *testing.T) {
	plan := mustParse(t, `["always",{"action":"next_candidate"}]`)
	ranked := []Row{{ProviderID: "a", ModelFamily: "m"}}

	got := Walk(plan, ranked, 12, events(t, []string{failedA, okB}))
	if got.Complete || got.Divergence != nil || got.Checked != 1 || got.Answered != -1 || got.Error != "" {
		t.Errorf("got %+v, want one event checked and nothing decided", got)
	}
	if got := Walk(plan, ranked, 12, events(t, []string{again("1", "")})); !got.Complete || got.Answered != 0 {
		t.Errorf("got %+v, want a complete walk: it never needs the rows that are missing", got)
	}
}

// An override for the kind "unknown" answers every kind that has none of its own.
func TestWalkTakesTheActionOfTheErrorKind(t *testing.T) {
	plan := mustParse(t, `["override",["override",["always",{"action":"abort"}],"unknown",{"action":"disable_provider"}],"rate_limit",{"action":"next_candidate"}]`)
	var ranked []Row
	if err := json.Unmarshal([]byte(rowsABC), &ranked); err != nil {
		t.Fatal(err)
	}
	if got := Walk(plan, ranked, 3, events(t, []string{failedA, disable, failedB, okC})); !got.Complete || got.Answered != 2 {
		t.Errorf("got %+v (%v), want row 2 to answer", got, got.Divergence)
	}
}
