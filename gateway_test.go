package main

import (
	"cmp"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// gatewayCmd is `gateway`: from now on the environment of the scenario is that of
// a real S3 gateway on this machine with the bucket "bucket", for programs that
// are processes. $BUCKET is the folder where it keeps the bucket: an object is a
// file, and what nobody sees lies in .sgwtmp. Without the gateway, which make
// versitygw builds, the scenario is left out; in CI it fails.
func gatewayCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: gateway")
	}
	path, err := filepath.Abs(filepath.Join(cmp.Or(os.Getenv("SLUICE_CACHE"), ".cache"), "bin", "versitygw"))
	ts.Check(err)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			ts.Fatalf("there is no S3 gateway to test with: %v; make versitygw builds it", err)
		}
		benchOf(ts).t.Skipf("there is no S3 gateway to test with: %v; make versitygw builds it", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	address := l.Addr().String()
	ts.Check(l.Close())

	root := ts.MkAbs("gateway")
	bucket := filepath.Join(root, "bucket")
	ts.Check(os.MkdirAll(bucket, 0o700))
	const key, secret = "an-access-key", "a-secret-key-0123456789"
	cmd := exec.Command(path, "--port", address, "--quiet", "posix", root)
	cmd.Env = []string{"ROOT_ACCESS_KEY=" + key, "ROOT_SECRET_KEY=" + secret, "HOME=" + root}
	ts.Check(cmd.Start())
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			ts.Check(c.Close())
			break
		}
		if time.Now().After(until) {
			ts.Fatalf("the gateway does not come up: %v", err)
		}
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3": "http://" + address, "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret,
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true",
		"BUCKET": bucket,
	} {
		ts.Setenv(name, value)
	}
}
