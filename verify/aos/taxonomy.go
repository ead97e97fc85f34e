package aos

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// taxonomyJSON holds the lists of codes, each with the file it is from. AOS has
// several, which agree on the codes that they share.
//
//go:embed taxonomy.json
var taxonomyJSON []byte

// codeClass is what the lists say about a code.
type codeClass uint8

const (
	codeUnknown codeClass = iota
	codeSuccess
	codeRetryable
	codeNotRetryable
)

// taxonomy is every code of every list.
var taxonomy = sync.OnceValue(func() map[string]codeClass {
	var data struct {
		Lists []struct {
			Success      []string `json:"success"`
			Retryable    []string `json:"retryable"`
			NotRetryable []string `json:"not_retryable"`
		} `json:"lists"`
	}
	// A test holds that the data parses and that the lists agree.
	_ = json.Unmarshal(taxonomyJSON, &data)
	codes := make(map[string]codeClass)
	for _, l := range data.Lists {
		for class, names := range map[codeClass][]string{
			codeSuccess: l.Success, codeRetryable: l.Retryable, codeNotRetryable: l.NotRetryable,
		} {
			for _, name := range names {
				codes[name] = class
			}
		}
	}
	return codes
})

// genericHTTP is the form in which the error contract writes any other status:
// 4xx is not retryable, 5xx is.
var genericHTTP = regexp.MustCompile(`^ERR_HTTP_([45])[0-9]{2}$`)

// classOf looks a code up.
func classOf(code string) codeClass {
	if class, ok := taxonomy()[code]; ok {
		return class
	}
	if m := genericHTTP.FindStringSubmatch(code); m != nil {
		if m[1] == "5" {
			return codeRetryable
		}
		return codeNotRetryable
	}
	return codeUnknown
}

// isSuccess says that a code is one of a success, known or not.
func isSuccess(code string) bool { return code == "OK" || strings.HasPrefix(code, "OK_") }
