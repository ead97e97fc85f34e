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

	Before string `json:"before"`
	After  string `json:"after"`

	Repository repository `json:"repository"`
}

type repository struct {
	FullName string `json:"full_name"`
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
	HeadSHA string `json:"head_sha"`
}

type workflowRun struct {
	HeadSHA        string      `json:"head_sha"`
	HeadBranch     string      `json:"head_branch"`
	HeadRepository *repository `json:"head_repository"`
	// PullRequests is empty when the head is in a fork.
	PullRequests []pullRequest `json:"pull_requests"`
}

// withAct is what to do where an event has nothing in it. act starts a workflow
// so unless it is told otherwise.
const withAct = "; act sends a payload with --eventpath"

func (e *Event) fromPullRequest(p payload) error {
	pr := p.PullRequest
	if pr == nil || pr.Base.SHA == "" || pr.Head.SHA == "" {
		return errors.New("no pull_request with base and head" + withAct)
	}
	e.Number = pr.Number
	if e.Number == 0 {
		e.Number = p.Number
	}
	if e.Number == 0 {
		return errors.New("the pull request has no number")
	}
	e.ChangedFiles = pr.ChangedFiles
	e.BaseSHA, e.HeadSHA = pr.Base.SHA, pr.Head.SHA
	e.setFork(pr.Head.Repo)
	return nil
}

// setFork compares the head's repository with the event's. There is none when
// the fork was deleted.
func (e *Event) setFork(head *repository) {
	e.Fork = head == nil || !strings.EqualFold(head.FullName, e.Repository)
}

func (e *Event) fromPush(p payload) error {
	if p.Before == "" || p.After == "" {
		return errors.New("no before or no after" + withAct)
	}
	e.Before = unlessZeros(p.Before)
	e.BaseSHA, e.HeadSHA = e.Before, unlessZeros(p.After)
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
		return errors.New("no merge_group with base_sha and head_sha" + withAct)
	}
	e.BaseSHA, e.HeadSHA = g.BaseSHA, g.HeadSHA
	return nil
}

// fromWorkflowRun takes the pull request whose run ended, when GitHub names
// one.
func (e *Event) fromWorkflowRun(p payload) error {
	run := p.WorkflowRun
	if run == nil || run.HeadSHA == "" {
		return errors.New("no workflow_run with head_sha" + withAct)
	}
	if len(run.PullRequests) > 1000 {
		return fmt.Errorf("workflow_run names %d pull requests", len(run.PullRequests))
	}
	e.HeadSHA = run.HeadSHA
	e.setFork(run.HeadRepository)
	for _, pr := range run.PullRequests {
		if pr.Head.SHA == run.HeadSHA && pr.Head.Ref == run.HeadBranch {
			e.Number, e.BaseSHA = pr.Number, pr.Base.SHA
			break
		}
	}
	return nil
}
