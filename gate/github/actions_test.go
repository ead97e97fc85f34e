package github

import "testing"

func TestDetect(t *testing.T) {
	for value, want := range map[string]bool{"true": true, "": false, "1": false, "TRUE": false} {
		if _, got := Detect(func(string) string { return value }); got != want {
			t.Errorf("GITHUB_ACTIONS=%q: %v, want %v", value, got, want)
		}
	}
	t.Setenv("GITHUB_ACTIONS", "true")
	if _, ok := Detect(nil); !ok {
		t.Error("Detect(nil) does not read the process's environment")
	}
}

// Inputs are upper-cased, blanks become underscores, dashes stay
// (actions/runner, Handlers/Handler.cs).
func TestInput(t *testing.T) {
	t.Parallel()
	a := runnerWith("INPUT_FAIL-ON", " any\n", "INPUT_A_B", "x")
	if got := a.Input("fail-on"); got != "any" {
		t.Errorf("fail-on = %q", got)
	}
	if got := a.Input("a b"); got != "x" {
		t.Errorf("a b = %q", got)
	}
	if got := a.Input("missing"); got != "" {
		t.Errorf("missing = %q", got)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for _, server := range []string{"https://github.com", "https://git.example.org/", "https://octo.ghe.com", "http://127.0.0.1:8080"} {
		l := runnerWith("GITHUB_SERVER_URL", server, "GITHUB_REPOSITORY", "o/r", "GITHUB_RUN_ID", "7", "GITHUB_RUN_ATTEMPT", "2").Links()
		base := server
		if base[len(base)-1] == '/' {
			base = base[:len(base)-1]
		}
		if l.RunURL != base+"/o/r/actions/runs/7/attempts/2" || l.Artifact(31) != base+"/o/r/actions/runs/7/artifacts/31" {
			t.Errorf("%s: %+v, artifact %s", server, l, l.Artifact(31))
		}
	}
	for _, env := range [][]string{
		{"GITHUB_SERVER_URL", "javascript:alert(1)"}, {"GITHUB_SERVER_URL", "https://u:p@h"}, {"GITHUB_SERVER_URL", "https://h?x"},
		{"GITHUB_REPOSITORY", "o/r/x"}, {"GITHUB_RUN_ID", "7)](x"}, {},
	} {
		base := []string{"GITHUB_SERVER_URL", "https://github.com", "GITHUB_REPOSITORY", "o/r", "GITHUB_RUN_ID", "7"}
		if len(env) == 0 {
			base = nil
		}
		if l := runnerWith(append(base, env...)...).Links(); l.RunURL != "" || l.Artifact(1) != "" {
			t.Errorf("%v: %+v", env, l)
		}
	}
}

func TestAPI(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://api.github.com": "https://api.github.com", "https://git.example.org/api/v3/": "https://git.example.org/api/v3", "": "", "ftp://x": "",
	} {
		if got := runnerWith("GITHUB_API_URL", in).API(); got != want {
			t.Errorf("API of %q = %q, want %q", in, got, want)
		}
	}
}
