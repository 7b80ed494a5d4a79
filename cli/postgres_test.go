//go:build unix

package cli

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// postgres starts a PostgreSQL of this test's own, if one is installed, and returns the
// folder of its socket; why says why not.
func postgres(t *testing.T) (folder, why string) {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is good
	if len(found) == 0 {
		return "", "there is no initdb here"
	}
	bin := filepath.Dir(found[len(found)-1])
	dir, err := os.MkdirTemp("", "sluice-postgres") //nolint:usetesting // t.TempDir lies below a folder that others cannot enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	as := &syscall.SysProcAttr{}
	if os.Getuid() == 0 { // it refuses to run as root
		them, err := user.Lookup("postgres")
		if err != nil {
			return "", "it does not run as root, and there is no user postgres"
		}
		uid, _ := strconv.Atoi(them.Uid)
		gid, _ := strconv.Atoi(them.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
		as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	do := func(name string, args ...string) {
		c := exec.Command(filepath.Join(bin, name), args...)
		c.Dir, c.SysProcAttr = dir, as
		if err := c.Run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	data := filepath.Join(dir, "data")
	do("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N")
	do("pg_ctl", "-D", data, "-w", "-l", filepath.Join(dir, "log"), "-o", "-k "+dir+" -h ''", "start")
	t.Cleanup(func() { do("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop") })
	return dir, ""
}
