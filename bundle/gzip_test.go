package bundle

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/mholt/archiver/v4"
)

// The bytes of a bundle depend on nothing but what is in it: not on what a compressor was
// used for before (DESIGN, section 4).
func TestCompressorIsUsedAgain(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var first bytes.Buffer
	used, err := archiver.Gz{}.OpenWriter(&first)
	if err != nil {
		t.Fatal(err)
	}
	again, ok := used.(resettable)
	if !ok {
		t.Fatalf("a %T can't be used again: every bundle pays for a new one", used)
	}
	for i := range 200 {
		// Text with repetitions near and far, of up to some blocks, and now and then noise.
		var text bytes.Buffer
		for text.Len() < random.IntN(1<<(6+i%13)) {
			fmt.Fprintf(&text, "field %d holds sha256:%x\n", random.IntN(40), random.Uint64()>>uint(random.IntN(60)))
		}
		var fresh, reused bytes.Buffer
		zw, err := archiver.Gz{}.OpenWriter(&fresh)
		if err != nil {
			t.Fatal(err)
		}
		again.Reset(&reused)
		for _, w := range []io.WriteCloser{zw, again} {
			if _, err := w.Write(text.Bytes()); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(fresh.Bytes(), reused.Bytes()) {
			t.Fatalf("text %d of %d bytes: a compressor that was used before writes other bytes", i, text.Len())
		}
	}
}
