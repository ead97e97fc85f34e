//go:build unix

package bundle

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Folders 0755 and the file 0644, whatever the umask is.
func TestWriteFileModes(t *testing.T) {
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	for _, umask := range []int{0, 0o022, 0o077} {
		dir := t.TempDir()
		old := syscall.Umask(umask)
		_, err := b.WriteFile(openRoot(t, dir), ".assay/bundles")
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]os.FileMode{
			".assay": 0o755, ".assay/bundles": 0o755, ".assay/bundles/" + b.RunID + ".tar.gz": 0o644,
		} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
				t.Errorf("umask %04o: %s is %v, %v; want %v", umask, name, info.Mode().Perm(), err, want)
			}
		}
	}
}

// Issue "Bundle": the owner is that of the workspace when running as root. A
// folder that was there already keeps its own.
func TestWriteFileOwner(t *testing.T) {
	dir := t.TempDir()
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 12345, 23456
		if err := os.Mkdir(filepath.Join(dir, ".assay"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	w, err := b.WriteFile(openRoot(t, dir), ".assay/bundles")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".assay/bundles", w.Path} {
		if st := stat(t, filepath.Join(dir, name)); int(st.Uid) != uid || int(st.Gid) != gid {
			t.Errorf("%s belongs to %d:%d, want %d:%d", name, st.Uid, st.Gid, uid, gid)
		}
	}
	if st := stat(t, filepath.Join(dir, ".assay")); int(st.Uid) != os.Getuid() {
		t.Errorf("a folder that was there belongs to %d now", st.Uid)
	}
}

func stat(t *testing.T, name string) *syscall.Stat_t {
	t.Helper()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t)
}

// The archive by other means: gzip and tar of the system agree with us.
func TestSystemToolsAgree(t *testing.T) {
	b := mustBuild(t, fixtureSource(fixtureFiles()))
	run := func(script string) string {
		cmd := exec.Command("sh", "-c", script)
		cmd.Stdin = bytes.NewReader(b.Bytes())
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		return string(out)
	}
	run("gzip -t")
	want := manifestName + "\n"
	for _, e := range b.Entries {
		want += e.Name + "\n"
	}
	if got := run("tar -tzf -"); got != want {
		t.Errorf("tar lists\n%s\nwant\n%s", got, want)
	}
	if got := run("tar -xzOf - files/inputs/" + tokenPath); got != "name: swiss\ngrid: 12\n" {
		t.Errorf("tar unpacks %q", got)
	}
}
