package gate

import "github.com/replay-gate/replay-gate/verify"

// Discover lists the evidence of a tree by the settings that lie in it, ready to be
// judged, in the order of its files. An error is an *[Error].
func Discover(t *verify.Tree) ([]verify.Item, error) {
	s, _, err := readSettings(t)
	if err != nil {
		return nil, &Error{Exit: ExitUsage, Reason: ReasonParse, Err: err, NextStep: "mend the file; docs/schema describes it"}
	}
	var items []verify.Item
	for _, f := range discover(t.Files(), kindsFor(s)) {
		items = append(items, verify.Item{Path: f.path, Format: f.format})
	}
	return items, nil
}
