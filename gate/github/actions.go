package github

import (
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/sethvargo/go-githubactions"
)

// Actions is the runner as a step sees it: environment variables, and files to
// append to. The zero value reads the process's environment.
type Actions struct {
	getenv func(string) string
}

// Detect returns the runner, and whether there is one: GITHUB_ACTIONS is "true"
// in every step. getenv may be nil for [os.Getenv].
func Detect(getenv func(string) string) (*Actions, bool) {
	a := &Actions{getenv: getenv}
	return a, a.env("GITHUB_ACTIONS") == "true"
}

func (a *Actions) env(name string) string {
	if a.getenv == nil {
		return os.Getenv(name)
	}
	return a.getenv(name)
}

// Input returns an input of the action, without the white space around it;
// empty when it was not given. The runner passes input "fail-on" as
// INPUT_FAIL-ON: blanks become underscores, dashes stay.
func (a *Actions) Input(name string) string {
	return githubactions.New(githubactions.WithGetenv(a.env)).GetInput(name)
}

// API is the address of the REST API without a slash at the end:
// https://HOST/api/v3 on GitHub Enterprise Server, https://api.SUB.ghe.com, or
// https://api.github.com.
func (a *Actions) API() string { return httpURL(a.env("GITHUB_API_URL")) }

// Links say where the run is, for addresses that people follow. A member that
// the runner did not give, or gave in a form that can't be right, is empty.
type Links struct {
	Server     string // https://github.com, without a slash at the end
	Repository string // owner/name
	RunURL     string // page of the workflow run, at this attempt
	RunID      string // decimal
	RunAttempt string // decimal, from 1
	Job        string // the job's key in the workflow file
}

var (
	decimal  = regexp.MustCompile(`^[0-9]{1,20}$`)
	fullName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}$`)
)

// Links returns the run's addresses (GITHUB_SERVER_URL and others).
func (a *Actions) Links() Links {
	l := Links{
		Server:     httpURL(a.env("GITHUB_SERVER_URL")),
		Repository: matching(fullName, a.env("GITHUB_REPOSITORY")),
		RunID:      matching(decimal, a.env("GITHUB_RUN_ID")),
		RunAttempt: matching(decimal, a.env("GITHUB_RUN_ATTEMPT")),
		Job:        a.env("GITHUB_JOB"),
	}
	if l.Server != "" && l.Repository != "" && l.RunID != "" {
		l.RunURL = l.Server + "/" + l.Repository + "/actions/runs/" + l.RunID
		if l.RunAttempt != "" {
			l.RunURL += "/attempts/" + l.RunAttempt
		}
	}
	return l
}

// Artifact is the page of an artifact of this run; empty when the run is
// unknown.
func (l Links) Artifact(id int64) string {
	if l.RunURL == "" {
		return ""
	}
	return l.Server + "/" + l.Repository + "/actions/runs/" + l.RunID + "/artifacts/" + strconv.FormatInt(id, 10)
}

func matching(re *regexp.Regexp, s string) string {
	if re.MatchString(s) {
		return s
	}
	return ""
}

// httpURL returns a plain http or https address without a slash at the end, or
// nothing.
func httpURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return ""
	}
	return strings.TrimRight(s, "/")
}
