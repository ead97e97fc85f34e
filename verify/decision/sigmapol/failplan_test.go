package sigmapol

import "testing"

// TestActionFor pins which action answers an error (SIGMA-POL §5): its own override, else that of "unknown", else the
// base. An override that equals the base is no override at all, even beside one for "unknown".
func TestActionFor(t *testing.T) {
	const base, skip, quit = `{"action":"retry_same"}`, `{"action":"next_candidate"}`, `{"action":"abort"}`
	for _, tt := range []struct{ plan, kind, want string }{
		{`["always",` + base + `]`, "timeout", "retry_same"},
		{`["override",["always",` + base + `],"timeout",` + quit + `]`, "timeout", "abort"},
		{`["override",["always",` + base + `],"timeout",` + quit + `]`, "weird", "retry_same"},
		{`["override",["override",["always",` + base + `],"timeout",` + quit + `],"timeout",` + skip + `]`, "timeout", "next_candidate"},
		{`["override",["always",` + base + `],"unknown",` + skip + `]`, "weird", "next_candidate"},
		{`["override",["override",["always",` + base + `],"unknown",` + skip + `],"timeout",` + quit + `]`, "timeout", "abort"},
		{`["override",["override",["always",` + base + `],"unknown",` + skip + `],"timeout",` + base + `]`, "timeout", "next_candidate"},
	} {
		if got := actionFor(Normalize(mustParse(t, tt.plan)).slotOf(FailPlan), tt.kind).Verb(); got != tt.want {
			t.Errorf("%s after %s: %s, want %s", tt.plan, tt.kind, got, tt.want)
		}
	}
}
