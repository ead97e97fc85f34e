package edit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// version is the tag of a release: semver.org, section 2, and pre-releases (9).
var version = regexp.MustCompile(`^v(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)

// release is a parsed tag.
type release struct {
	number [3]int
	pre    bool
}

func parse(tag string) (release, error) {
	m := version.FindStringSubmatch(tag)
	if m == nil {
		return release{}, fmt.Errorf("%q is no version such as v1.2.3 or v1.2.3-rc.1", tag)
	}
	r := release{pre: m[4] != ""}
	for i := range r.number {
		// At most nine digits.
		r.number[i], _ = strconv.Atoi(m[i+1])
	}
	return r, nil
}

// Moves checks a new tag, and says which moving tag follows it: v1 for v1.2.3. None
// does for a pre-release or for v0.x, which promise nothing, nor for a repair of an
// older version: who follows v1 must not go back. Tags that are no versions, such as
// v1 itself, don't count; a tag that is there already is an error, because a release
// is made once.
func Moves(tag string, tags []string) (string, error) {
	r, err := parse(tag)
	if err != nil {
		return "", err
	}
	if slices.Contains(tags, tag) {
		return "", fmt.Errorf("%s is released already", tag)
	}
	if r.pre || r.number[0] == 0 {
		return "", nil
	}
	for _, other := range tags {
		o, err := parse(other)
		if err == nil && !o.pre && o.number[0] == r.number[0] && slices.Compare(o.number[:], r.number[:]) > 0 {
			return "", nil
		}
	}
	return "v" + strconv.Itoa(r.number[0]), nil
}
