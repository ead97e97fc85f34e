package gate

import (
	"bytes"
	"context"
	"reflect"
	"slices"

	"github.com/replay-gate/replay-gate/gate/judge"
	"github.com/replay-gate/replay-gate/verify"
)

// veil takes secrets out of what is said about single pieces of evidence, outside of a
// report: for bundles, whose bytes depend on nothing but their own evidence, and for
// commands that answer a question. It may be shared.
type veil struct{ scrubber *scrubber }

func newVeil() veil { return veil{newScrubber()} }

// over is evidence whose rows and recording hold no secret of its own files, as they
// are in its tree and in base, which may be nil. It is the same when a bundle is made and
// when it is replayed, because both have these files. Where inputs lie
// stays as it is.
func (v veil) over(ctx context.Context, e *judge.Account, base *verify.Tree) *judge.Account {
	veiled, each := v.with(ctx, e, base)
	for i := range veiled.Head.Inputs {
		in := &veiled.Head.Inputs[i]
		if in.Recorded = each(in.Recorded); in.Missing {
			in.Path = each(in.Path)
		}
	}
	return veiled
}

// with is over, and what takes secrets out of more that is said of the evidence.
func (v veil) with(ctx context.Context, e *judge.Account, base *verify.Tree) (*judge.Account, func(string) string) {
	m, escaped := v.scrubber.cache.Masker(), false
	for _, tree := range []*verify.Tree{e.Tree, base} {
		if tree == nil {
			continue
		}
		for _, name := range quoted(e) {
			if data, err := tree.Aside().ReadFile(name, verify.MaxInput); err == nil {
				m.Remember(data, v.scrubber.learn(ctx, data))
				escaped = escaped || bytes.Contains(data, []byte(`\u`))
			}
		}
	}
	veiled, head := *e, *e.Head
	head.Inputs, head.Recording.Argv, veiled.Rows = slices.Clone(head.Inputs), slices.Clone(head.Recording.Argv), slices.Clone(e.Rows)
	each := func(s string) string {
		if escaped { // what the file hides shows here
			m.Remember([]byte(s), v.scrubber.learn(ctx, []byte(s)))
		}
		return m.Mask(s)
	}
	// From its name a bundle takes its own.
	name := head.Recording.Name
	for _, of := range []any{&head.Recording, &head.Unchecked, &veiled.Rows} {
		eachString(reflect.ValueOf(of), each)
	}
	head.Recording.Name = name
	veiled.Head = &head
	return &veiled, each
}

// Veiled is evidence as it may be shown: the secrets of its files are taken out of what is
// said of it. Its trees must still be open.
func Veiled(ctx context.Context, evidence []judge.Account) []judge.Account {
	v := newVeil()
	all := slices.Clone(evidence)
	for i := range all {
		veiled, each := v.with(ctx, &evidence[i], nil)
		head := veiled.Head
		head.Checks, head.Claims = slices.Clone(head.Checks), slices.Clone(head.Claims)
		for _, of := range []any{&head.Inputs, &head.Checks, &head.Claims} {
			eachString(reflect.ValueOf(of), each)
		}
		all[i] = *veiled
	}
	return all
}

// Veil takes out of every string of v, which must be a pointer, the secrets of the texts
// that it was made from, and those that show in the string itself.
func Veil(ctx context.Context, v any, texts ...[]byte) {
	s := newVeil().scrubber
	for _, text := range texts {
		s.learn(ctx, text)
	}
	s.clean(ctx, v)
}

// veilTimeline takes the secrets of evidence and its inputs out of their history.
func veilTimeline(ctx context.Context, t *verify.Timeline, evidence []judge.Account) {
	s := newVeil().scrubber
	for i := range evidence {
		e := &evidence[i]
		for _, name := range quoted(e) {
			if data, err := e.Tree.Aside().ReadFile(name, verify.MaxInput); err == nil {
				s.learn(ctx, data)
			}
		}
	}
	s.clean(ctx, t)
}

// clean learns from every string of the values, and then masks all of them. What stands in
// many places is looked at once, and is one string afterwards.
func (s *scrubber) clean(ctx context.Context, values ...any) {
	at := make(map[string]int) // of each distinct string
	var texts []string
	each := func(with func(string) string) {
		for _, v := range values {
			eachString(reflect.ValueOf(v), with)
		}
	}
	each(func(text string) string {
		if _, known := at[text]; !known {
			at[text] = len(texts)
			texts = append(texts, text)
		}
		return text
	})
	verify.AtOnce(len(texts), 0, func(i int) { s.learn(ctx, []byte(texts[i])) })
	masked := make([]string, len(texts))
	verify.AtOnce(len(texts), 0, func(i int) { masked[i] = s.masker.Mask(texts[i]) })
	each(func(text string) string {
		if i, ok := at[text]; ok {
			return masked[i]
		}
		return text // masked a moment ago: some strings are in two places
	})
}
