package github

import (
	"errors"
	"fmt"
	"strings"
)

// payload is the part of webhook payloads that is read. Members are optional to
// the parser, because which must be there differs by event.
type payload struct {
	Number      int          `json:"number"`
	PullRequest *pullRequest `json:"pull_request"`
	MergeGroup  *mergeGroup  `json:"merge_group"`
	WorkflowRun *workflowRun `json:"workflow_run"`

	Ref     string `json:"ref"`
	Before  string `json:"before"`
	After   string `json:"after"`
	Created bool   `json:"created"`
	Forced  bool   `json:"forced"`
	Deleted bool   `json:"deleted"`

	Repository repository `json:"repository"`
	Sender     struct {
		Login string `json:"login"`
	} `json:"sender"`
}

type repository struct {
	FullName      string `json:"full_name"`
	DefaultBranch string `json:"default_branch"`
}

type pullRequest struct {
	Number       int `json:"number"`
	ChangedFiles int `json:"changed_files"`
	Base         end `json:"base"`
	Head         end `json:"head"`
}

// end is one of the two branches of a pull request.
type end struct {
	Ref  string      `json:"ref"`
	SHA  string      `json:"sha"`
	Repo *repository `json:"repo"` // null when the fork was deleted
}

type mergeGroup struct {
	BaseSHA string `json:"base_sha"`
	BaseRef string `json:"base_ref"`
	HeadSHA string `json:"head_sha"`
	HeadRef string `json:"head_ref"`
}

type workflowRun struct {
	HeadSHA        string      `json:"head_sha"`
	HeadBranch     string      `json:"head_branch"`
	HeadRepository *repository `json:"head_repository"`
	// PullRequests is empty when the head is in a fork.
	PullRequests []pullRequest `json:"pull_requests"`
}

func (e *Event) fromPullRequest(p payload) error {
	pr := p.PullRequest
	if pr == nil || pr.Base.SHA == "" || pr.Head.SHA == "" {
		return errors.New("no pull_request with base and head")
	}
	e.Number = pr.Number
	if e.Number == 0 {
		e.Number = p.Number
	}
	if e.Number == 0 {
		return errors.New("the pull request has no number")
	}
	e.ChangedFiles = pr.ChangedFiles
	e.BaseSHA, e.BaseRef = pr.Base.SHA, pr.Base.Ref
	e.HeadSHA, e.HeadRef = pr.Head.SHA, pr.Head.Ref
	e.setHeadRepository(pr.Head.Repo)
	return nil
}

func (e *Event) setHeadRepository(r *repository) {
	if r == nil || r.FullName == "" {
		e.Fork, e.HeadRepoGone = true, true
		return
	}
	e.HeadRepository = r.FullName
	e.Fork = !strings.EqualFold(r.FullName, e.Repository)
}

func (e *Event) fromPush(p payload) error {
	if p.Before == "" || p.After == "" {
		return errors.New("no before or no after")
	}
	e.Before, e.After = unlessZeros(p.Before), unlessZeros(p.After)
	e.BaseSHA, e.HeadSHA = e.Before, e.After
	e.HeadRef = strings.TrimPrefix(p.Ref, "refs/heads/")
	e.Created, e.Forced, e.Deleted = p.Created, p.Forced, p.Deleted
	e.HeadRepository = e.Repository
	return nil
}

// unlessZeros makes GitHub's sign for "no commit" the empty string.
func unlessZeros(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

func (e *Event) fromMergeGroup(p payload) error {
	g := p.MergeGroup
	if g == nil || g.BaseSHA == "" || g.HeadSHA == "" {
		return errors.New("no merge_group with base_sha and head_sha")
	}
	e.BaseSHA, e.BaseRef = g.BaseSHA, strings.TrimPrefix(g.BaseRef, "refs/heads/")
	e.HeadSHA, e.HeadRef = g.HeadSHA, strings.TrimPrefix(g.HeadRef, "refs/heads/")
	e.HeadRepository = e.Repository
	return nil
}

// fromWorkflowRun takes the pull request whose run ended, when GitHub names
// one.
func (e *Event) fromWorkflowRun(p payload) error {
	run := p.WorkflowRun
	if run == nil || run.HeadSHA == "" {
		return errors.New("no workflow_run with head_sha")
	}
	if len(run.PullRequests) > 1000 {
		return fmt.Errorf("workflow_run names %d pull requests", len(run.PullRequests))
	}
	e.HeadSHA, e.HeadRef = run.HeadSHA, run.HeadBranch
	e.setHeadRepository(run.HeadRepository)
	for _, pr := range run.PullRequests {
		if pr.Head.SHA == run.HeadSHA && pr.Head.Ref == run.HeadBranch {
			e.Number = pr.Number
			e.BaseSHA, e.BaseRef = pr.Base.SHA, pr.Base.Ref
			break
		}
	}
	return nil
}
