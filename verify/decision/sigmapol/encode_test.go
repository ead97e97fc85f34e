package sigmapol

import (
	"math"
	"testing"
)

// TestNumbers pins SIGMA-POL §4.1. The expected strings are those of C's printf: "%.0f" for whole numbers up to 2^53,
// "%.17g" for all others.
func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{-3, "-3"},
		{0.5, "0.5"},
		{0.1, "0.10000000000000001"},
		{-0.1, "-0.10000000000000001"},
		{1.0 / 3, "0.33333333333333331"},
		{123456.75, "123456.75"},
		{0.0001, "0.0001"},
		{0.00001, "1.0000000000000001e-05"},
		{2.5e-10, "2.5000000000000002e-10"},
		{9007199254740991, "9007199254740991"},
		{9007199254740992, "9007199254740992"},
		{-9007199254740992, "-9007199254740992"},
		{9007199254740994, "9007199254740994"},
		{1e16, "10000000000000000"},
		{1e17, "1e+17"},
		{123456789012345680, "1.2345678901234568e+17"},
		{1e22, "1e+22"},
		{1e23, "9.9999999999999992e+22"},
		{1e100, "1e+100"},
		{math.MaxFloat64, "1.7976931348623157e+308"},
		{0x1p-1022, "2.2250738585072014e-308"},
		{math.SmallestNonzeroFloat64, "4.9406564584124654e-324"},
	} {
		if got := string(appendNumber(nil, tt.v)); got != tt.want {
			t.Errorf("%g: got %s, want %s", tt.v, got, tt.want)
		}
	}
}

// Five bytes are escaped, and all others stay as they are.
func TestStrings(t *testing.T) {
	const in, want = "a\"b\\c\nd\te\rf /<&>\x00\x01\x7f\u2028é", "\"a\\\"b\\\\c\\nd\\te\\rf /<&>\x00\x01\x7f\u2028é\""
	if got := string(appendString(nil, in)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Expected values computed by hand: 5381·31+97 and 52711·37+97, for the empty string and "a".
func TestFingerprint(t *testing.T) {
	for in, want := range map[string]string{"": "5381-52711", "a": "166908-1950404"} {
		if got := Fingerprint([]byte(in)); got != want {
			t.Errorf("Fingerprint(%q) = %s, want %s", in, got, want)
		}
	}
}

// The hash of the empty string is that of FIPS 180-4.
func TestIdentity(t *testing.T) {
	if got, want := Identity(nil), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestZeroTerm(t *testing.T) {
	var zero Term
	if Encode(zero) != nil || zero.Sort() != "" || Encode(Normalize(zero)) != nil {
		t.Error("the zero Term means something")
	}
	if _, err := Decide(zero, nil, Context{}); err == nil {
		t.Error("Decide takes the zero Term for a policy")
	}
	if PossibleReasons(zero) != nil || CheckRanking(zero, []Row{{}}, 1) != nil || DifferingSlots(zero, zero) != nil {
		t.Error("the zero Term has parts")
	}
	if got := Walk(zero, []Row{{}}, 1, nil); got.Divergence == nil {
		t.Error("an empty path is taken for a whole one")
	}
}
