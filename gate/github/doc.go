// Package github is where the gate meets GitHub: what the runner tells a step,
// what a step can show, and what the API adds to it.
//
// A step needs no permission to read its event, to set outputs and to show a
// summary, annotations and a log. [Actions] does that much:
//
//	a, ok := github.Detect(os.Getenv)
//	if !ok {
//		return errors.New("not in GitHub Actions")
//	}
//	event, err := a.Event()
//	if err != nil {
//		return err
//	}
//	a.Annotate(os.Stdout, annotations)
//	err = a.SetOutputs([][2]string{{"verdict", "drift"}, {"exit-code", "1"}})
//
// An artifact needs no permission either ([Actions.UploadArtifact]). What a
// token allows for comes on top: with a [Client] a check run and a comment, with a
// [Remote] the files of a commit that was not fetched.
//
//	c, err := github.NewClient(github.ClientOptions{API: a.API(), Token: a.Input("token"), Repository: event.Repository})
//	if err != nil {
//		return err
//	}
//	run, err := c.CheckRun(ctx, github.CheckRunRequest{Name: "Replay evidence", HeadSHA: event.HeadSHA, ...})
//	var denied *github.PermissionError
//	if errors.As(err, &denied) {
//		fmt.Println("no check run, the job lacks", denied.Missing)
//	}
//
// # What it promises
//
// Text from a pull request can't speak for the step. Whatever is in the strings
// that are handed over, no output but the named one is set, no annotation but
// the given ones appears, and no line of a [Actions.Group] is a
// workflow command or moves the cursor.
//
// Nothing here decides anything: it takes plain data and returns plain data.
// Nothing is hard-coded to github.com: every address comes from the runner's
// environment, so that GitHub Enterprise Server and ghe.com work.
//
// Nothing panics, and no secret is logged.
package github
