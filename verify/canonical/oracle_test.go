package canonical

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// oracleDir holds the reference parser: oracle.mjs, and after `npm ci` its
// node_modules.
const oracleDir = "../../internal/yamloracle"

// oracle is a running `oracle.mjs --serve`: frames of a big-endian uint32 and
// as many bytes, both ways.
type oracle struct {
	modules string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// startOracle starts the reference parser, or skips the test where there is
// none. REPLAY_GATE_REQUIRE_NODE=1 turns the skip into a failure.
func startOracle(t testing.TB) *oracle {
	t.Helper()
	o := &oracle{modules: os.Getenv("YAML_ORACLE_MODULES")}
	if o.modules == "" {
		o.modules = oracleDir
	}
	missing := func(why string) {
		t.Helper()
		if os.Getenv("REPLAY_GATE_REQUIRE_NODE") == "1" {
			t.Fatalf("NOT COMPARED WITH THE REFERENCE: %s", why)
		}
		t.Skipf("SKIPPED, NOT PASSED: nothing was compared with the reference: %s", why)
	}
	if _, err := exec.LookPath("node"); err != nil {
		missing("Node is not installed")
	}
	if _, err := os.Stat(filepath.Join(o.modules, "node_modules", "yaml")); err != nil {
		missing("no npm yaml: run `npm ci` in internal/yamloracle, or set YAML_ORACLE_MODULES")
	}
	if err := o.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.stop)
	return o
}

func (o *oracle) start() (err error) {
	o.cmd = exec.Command("node", filepath.Join(oracleDir, "oracle.mjs"), "--serve")
	modules, err := filepath.Abs(o.modules)
	if err != nil {
		return err
	}
	o.cmd.Env = append(os.Environ(), "YAML_ORACLE_MODULES="+modules)
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	o.out = bufio.NewReaderSize(out, 1<<16)
	return o.cmd.Start()
}

func (o *oracle) stop() {
	o.in.Close()
	o.cmd.Process.Kill()
	o.cmd.Wait()
}

// batchTime is how long the reference may take over one batch.
const batchTime = time.Minute

// judge asks the reference about each text. If it dies, it is started again
// and the batch fails.
func (o *oracle) judge(texts [][]byte) ([]golden, error) {
	timer := time.AfterFunc(batchTime, func() { o.cmd.Process.Kill() })
	defer timer.Stop()
	go func() {
		w := bufio.NewWriterSize(o.in, 1<<16)
		for _, text := range texts {
			var head [4]byte
			binary.BigEndian.PutUint32(head[:], uint32(len(text)))
			w.Write(head[:])
			w.Write(text)
		}
		w.Flush() // a dead child shows when its answers are read
	}()
	answers := make([]golden, len(texts))
	for i := range answers {
		if err := o.answer(&answers[i]); err != nil {
			o.stop()
			return nil, fmt.Errorf("reading the reference's answer %d: %w", i, errorOr(o.start(), err))
		}
	}
	return answers, nil
}

func errorOr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

func (o *oracle) answer(g *golden) error {
	var head [4]byte
	if _, err := io.ReadFull(o.out, head[:]); err != nil {
		return err
	}
	body := make([]byte, binary.BigEndian.Uint32(head[:]))
	if _, err := io.ReadFull(o.out, body); err != nil {
		return err
	}
	return json.Unmarshal(body, g)
}
