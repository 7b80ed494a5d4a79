package cli

import (
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"sluice/fixtures/s3/gateway"
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
	root := ts.MkAbs("gateway")
	bucket := filepath.Join(root, "bucket")
	ts.Check(os.MkdirAll(bucket, 0o700))
	const key, secret = "an-access-key", "a-secret-key-0123456789"
	address, kill := gateway.Start(benchOf(ts).t, root, key, secret)
	ts.Defer(kill) // before the folder goes
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3": "http://" + address, "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret,
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true",
		"BUCKET": bucket,
	} {
		ts.Setenv(name, value)
	}
}
