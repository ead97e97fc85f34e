package shard

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxShards bounds the shards of a plan: GitHub starts no more jobs from one matrix.
const MaxShards = 256

// Share names one shard of a plan, as "2/4"; the zero Share is none.
type Share struct{ Index, Count int }

func (s Share) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// Set reads a share as String writes it; the empty text is none.
func (s *Share) Set(text string) error {
	*s = Share{}
	if text == "" {
		return nil
	}
	i, n, ok := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	count, err2 := strconv.Atoi(n)
	got := Share{index, count}
	if !ok || err1 != nil || err2 != nil || index < 1 || index > count || count > MaxShards || got.String() != text {
		return fmt.Errorf("%q is no shard: write it like 2/4, of at most %d", text, MaxShards)
	}
	*s = got
	return nil
}

// Type names the form for a command line.
func (s *Share) Type() string { return "i/n" }
