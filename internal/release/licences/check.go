package licences

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed are the licences, by SPDX identifier, under which a module may be linked
// into a program under Apache-2.0 that is given away as a binary. Those that ask
// more of who passes the program on than its text and its notices (MPL-2.0: where
// the source is) have what they ask for in the file that Write makes. A licence
// that is not here needs a decision by a person, and then a line here.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0", "Unlicense"}

// known are texts that the scanner doesn't recognise and a person has read, by the
// sha256 of their bytes: another version of the text has to be read again.
var known = map[string][]string{}

// notLinked are texts that go along but bind nothing in the binary: the licence of a
// module's documentation, in a folder of all its licences.
var notLinked = []string{"github.com/sorairolake/lzip-go/LICENSES/CC-BY-4.0.txt"}

// minCover is the part of a text, in percent, that has to be words of licences that
// were recognised. The rest is who holds the copyright.
const minCover = 75

// Check reports every module whose licence is missing, unknown or not allowed.
func Check(modules []Module) error {
	var errs []error
	for _, m := range modules {
		ids, err := m.Licences()
		if err != nil {
			errs = append(errs, err)
		}
		for _, id := range ids {
			if !slices.Contains(allowed, id) {
				errs = append(errs, fmt.Errorf("%s %s is under %s, which is not allowed (see internal/release/licences/check.go)", m.Path, m.Version, id))
			}
		}
	}
	return errors.Join(errs...)
}

// Licences are the SPDX identifiers of all licence texts of the module, sorted. What
// only passes on a notice or a patent grant is not asked for one.
func (m Module) Licences() ([]string, error) {
	var ids []string
	var errs []error
	for _, t := range m.Texts {
		if !t.isLicence() || slices.Contains(notLinked, m.Path+"/"+t.Name) {
			continue
		}
		sum := sha256.Sum256(t.Data)
		digest := hex.EncodeToString(sum[:])
		if read, ok := known[digest]; ok {
			ids = append(ids, read...)
			continue
		}
		cover := licensecheck.Scan(t.Data)
		if cover.Percent < minCover || len(cover.Match) == 0 {
			errs = append(errs, fmt.Errorf("%s %s: %s is no licence that is recognised (%.0f %%, sha256 %s)", m.Path, m.Version, t.Name, cover.Percent, digest))
			continue
		}
		for _, match := range cover.Match {
			ids = append(ids, match.ID)
		}
	}
	if len(ids) == 0 && len(errs) == 0 {
		errs = append(errs, fmt.Errorf("%s %s: no licence was found", m.Path, m.Version))
	}
	slices.Sort(ids)
	return slices.Compact(ids), errors.Join(errs...)
}

func (t Text) isLicence() bool {
	base := strings.ToLower(path.Base(t.Name))
	return !strings.HasPrefix(base, "notice") && !strings.HasPrefix(base, "patents")
}
