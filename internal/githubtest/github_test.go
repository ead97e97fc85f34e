package githubtest

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

const sha = "1111111111111111111111111111111111111111"

func send(t *testing.T, g *GitHub, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(method, g.API()+"/repos/"+g.Repository+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+g.Token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b)
}

// What GitHub refuses, the fake refuses and notes.
func TestRefusals(t *testing.T) {
	const output = `"output":{"title":"t","summary":"s"}`
	annotation := func(rest string) string {
		return `{"name":"n","head_sha":"` + sha + `","output":{"title":"t","summary":"s","annotations":[{"path":"a","annotation_level":"failure","message":"m"` + rest + `}]}}`
	}
	for name, body := range map[string]string{
		"no head_sha":                   `{"name":"n",` + output + `}`,
		"head_sha that is no id":        `{"name":"n","head_sha":"main",` + output + `}`,
		"completed, but not concluded":  `{"name":"n","head_sha":"` + sha + `","status":"completed",` + output + `}`,
		"unknown conclusion":            `{"name":"n","head_sha":"` + sha + `","conclusion":"passed",` + output + `}`,
		"summary of 65,536":             `{"name":"n","head_sha":"` + sha + `","output":{"title":"t","summary":"` + strings.Repeat("s", 65536) + `"}}`,
		"text of 65,535 bytes and more": `{"name":"n","head_sha":"` + sha + `","output":{"title":"t","summary":"s","text":"` + strings.Repeat("é", 32768) + `"}}`,
		"51 annotations": `{"name":"n","head_sha":"` + sha + `","output":{"title":"t","summary":"s","annotations":[` +
			strings.TrimSuffix(strings.Repeat(`{"path":"a","start_line":1,"end_line":1,"annotation_level":"failure","message":"m"},`, 51), ",") + `]}}`,
		"line 0":                  annotation(`,"start_line":0,"end_line":0`),
		"column over lines":       annotation(`,"start_line":1,"end_line":2,"start_column":3,"end_column":4`),
		"level error":             strings.Replace(annotation(`,"start_line":1,"end_line":1`), "failure", "error", 1),
		"absolute path":           strings.Replace(annotation(`,"start_line":1,"end_line":1`), `"a"`, `"/a"`, 1),
		"title of 256 characters": annotation(`,"start_line":1,"end_line":1,"title":"` + strings.Repeat("t", 256) + `"`),
		"not JSON":                `{`,
	} {
		g := Start(t)
		if status, reply := send(t, g, "POST", "/check-runs", body); status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", name, status, reply)
		}
		if len(g.Problems()) != 1 || len(g.CheckRuns()) != 0 {
			t.Errorf("%s: not noted, or kept", name)
		}
	}
}

func TestReadOnly(t *testing.T) {
	const run = `{"name":"n","head_sha":"` + sha + `"}`
	g := Start(t)
	g.ReadOnly = true
	if status, body := send(t, g, "POST", "/check-runs", run); status != 403 || !strings.Contains(body, "not accessible by integration") {
		t.Errorf("read-only: %d %s", status, body)
	}
	g.Hidden = true
	if status, _ := send(t, g, "POST", "/check-runs", run); status != 404 {
		t.Errorf("hidden: %d", status)
	}
	if status, body := send(t, g, "GET", "/issues/1/comments", ""); status != 200 || body != "[]" {
		t.Errorf("reading: %d %s", status, body)
	}
}

// Every operation of the slice is answered in GitHub's form, or Start's cleanup
// fails.
func TestReplies(t *testing.T) {
	g := Start(t)
	for _, r := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/check-runs", `{"name":"n","head_sha":"` + sha + `","status":"completed","conclusion":"success","output":{"title":"t","summary":"s"}}`, 201},
		{"PATCH", "/check-runs/1000001", `{"output":{"title":"t","summary":"s2"}}`, 200},
		{"POST", "/issues/1/comments", `{"body":"x"}`, 201},
		{"GET", "/issues/1/comments?per_page=100", "", 200},
		{"PATCH", "/issues/comments/1000002", `{"body":"y"}`, 200},
		{"DELETE", "/issues/comments/1000002", "", 204},
	} {
		if status, body := send(t, g, r.method, r.path, r.body); status != r.status {
			t.Errorf("%s %s: %d %s", r.method, r.path, status, body)
		}
	}
	if c := g.CheckRuns(); len(c) != 1 || c[0].Output.Summary != "s2" || c[0].Conclusion != "success" {
		t.Errorf("check runs: %+v", c)
	}
}
