// Package canonical turns YAML or JSON bytes into the hash that the evidence
// records for a structured input.
//
// The hash contract ("AHD replay, Hash contract") is: parse the text to a
// JavaScript value, sort the keys of every object, write it with
// JSON.stringify without white space, take SHA-256. The contract names the
// parsed value, so it is only as exact as the parser; the parser it means is
// npm yaml 2. This package gives the hash which that program gives, bit for
// bit:
//
//	sum, err := canonical.Hash(tokenBytes)
//	var notValid *canonical.NotValidError
//	var cannotJudge *canonical.CannotJudgeError
//	switch {
//	case err == nil:                      // sum is "sha256:..."
//	case errors.As(err, &notValid):       // the reference rejects the text too
//	case errors.As(err, &cannotJudge):    // the reference may read it, we can't promise the same value
//	}
//
// Three results are kept apart, and the third never shows a hash. It is
// honest where a YAML parser alone would be wrong in silence.
//
// # How a text is read
//
// The structure comes from the Node API of gopkg.in/yaml.v3. Its values,
// however, are those of another dialect: dates, merge keys, octal numbers, its
// own line breaks. So the source text is read a second time, guided by the
// tree: every token is found again at the position the tree gives, decoded
// from the text with the rules of YAML 1.2 as the reference applies them, and
// compared with what yaml.v3 read. Between two tokens nothing may stand but
// the indicators the structure calls for, white space and comments. Where the
// two readings part, the result is a [CannotJudgeError], never a guess.
//
// # What it promises
//
// A text that both accept has the same hash. Inputs above [MaxSize] and
// nesting deeper than [MaxDepth] can't be judged, alias bombs are refused
// before they expand, and no input makes the package panic. `%YAML 1.1` and
// all but the plainest collections as keys can't be judged: see
// testdata/known-classes.md for every class of text where this package and the
// reference part, and why.
package canonical
