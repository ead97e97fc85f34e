package verify

import "errors"

// ReadReason words an error of [Tree.ReadFile] without the path, which is shown
// beside it.
func ReadReason(err error) string {
	if re, ok := errors.AsType[*ReadError](err); ok {
		return "the file " + re.Why
	}
	return err.Error()
}

// Unreadable is the result for evidence that [Tree.ReadFile] could not read: one FAIL,
// of the field that stands for the whole file.
func Unreadable(e *Evidence, field string, rec Recording, err error) Result {
	reason := "could not be read: " + ReadReason(err)
	return Result{
		Unchecked: reason,
		Recording: rec,
		Checks: []Check{{
			Field: field, Status: Fail, Code: "unreadable", Reason: reason,
			Location: Location{Path: e.Path},
		}},
	}
}
