package github

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

// FuzzZip: an archive gives back the files that were put into it, and is the same each time.
func FuzzZip(f *testing.F) {
	f.Add("a.tar.gz", []byte("content"), "report.json", []byte("{}"))
	f.Add("é", []byte{}, "b", bytes.Repeat([]byte("x"), 70000))
	f.Fuzz(func(t *testing.T, name string, data []byte, name2 string, data2 []byte) {
		file := func(name string, data []byte) ArtifactFile {
			return ArtifactFile{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
		}
		files := []ArtifactFile{file(name, data), file(name2, data2)}
		var one, two bytes.Buffer
		if err := writeZip(&one, files); err != nil {
			return // a name that is too long
		}
		if err := writeZip(&two, files); err != nil || !bytes.Equal(one.Bytes(), two.Bytes()) {
			t.Fatalf("the second time is another: %v", err)
		}
		z, err := zip.NewReader(bytes.NewReader(one.Bytes()), int64(one.Len()))
		if err != nil && err != zip.ErrInsecurePath || len(z.File) != 2 {
			t.Fatal(err)
		}
		for i, want := range [][]byte{data, data2} {
			if z.File[i].Name != files[i].Name || z.File[i].FileInfo().IsDir() {
				continue // a folder, by its name
			}
			r, err := z.File[i].Open()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%q: %q, %v", files[i].Name, got, err)
			}
		}
	})
}
