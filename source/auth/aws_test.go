package auth_test

import (
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sluice/source/auth"
	"sluice/source/config"
)

// gateway starts a real verifier of signatures, the Versity S3 gateway that make
// versitygw builds, and returns its address.
func gateway(t *testing.T) string {
	t.Helper()
	cache := os.Getenv("SLUICE_CACHE")
	if cache == "" {
		cache = filepath.Join("..", "..", ".cache")
	}
	program, err := filepath.Abs(filepath.Join(cache, "bin", "versitygw"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("there is no S3 gateway to test with: %v; make versitygw builds it", err)
		}
		t.Skipf("there is no S3 gateway to test with: %v; make versitygw builds it", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	dir := t.TempDir()
	cmd := exec.Command(program, "--port", address, "--quiet", "posix", dir)
	cmd.Env = []string{"ROOT_ACCESS_KEY=reader", "ROOT_SECRET_KEY=open-sesame", "HOME=" + dir}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
			return "http://" + address
		}
		if time.Now().After(until) {
			t.Fatalf("the gateway does not come up: %v", err)
		}
	}
}

// signature makes one for S3 with a secret key.
func signature(t *testing.T, key string) auth.Finisher {
	t.Helper()
	var p config.Problems
	s := auth.NewSignature(parse(t, `{"signature": {"credentials": {"accessKeyId": "reader", "#secretKey": {"attr": "#key"}, "serviceName": "s3", "regionName": "us-east-1"}}}`),
		env(map[string]string{"#key": key}, time.Now), &p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestARealGatewayTakesTheSignature(t *testing.T) {
	base := gateway(t)
	good, bad := signature(t, "open-sesame"), signature(t, "open-barley")
	client := &http.Client{Timeout: 20 * time.Second}
	ask := func(s auth.Finisher, method, target, body string) (int, string) {
		t.Helper()
		var content io.Reader
		if body != "" {
			content = strings.NewReader(body)
		}
		h, err := http.NewRequest(method, base+target, content)
		if err != nil {
			t.Fatal(err)
		}
		h.Header.Set("Accept", "application/json")
		h.Header.Set("Accept-Encoding", "gzip, zstd")
		if err := s.Finish(h); err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(h)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(text)
	}
	bucket := "/bucket-" + strings.ToLower(rand.Text())
	for _, step := range []struct{ method, target, body string }{
		{http.MethodPut, bucket, ""},
		{http.MethodPut, bucket + "/2026%20a/b+c~%C3%BC.json", `[{"id":1}]`},
	} {
		if status, text := ask(good, step.method, step.target, step.body); status != http.StatusOK {
			t.Fatalf("%s %s: %d %s", step.method, step.target, status, text)
		}
	}
	if status, text := ask(good, http.MethodGet, bucket+"?prefix=2026+a/&list-type=2&max-keys=7", ""); status != http.StatusOK || !strings.Contains(text, "<Key>2026 a/b+c~ü.json</Key>") {
		t.Errorf("the list of the bucket: %d %s", status, text)
	}
	if status, text := ask(good, http.MethodGet, bucket+"/2026%20a/b+c~%C3%BC.json", ""); status != http.StatusOK || text != `[{"id":1}]` {
		t.Errorf("the object: %d %s", status, text)
	}
	if status, text := ask(bad, http.MethodGet, bucket+"?list-type=2", ""); status != http.StatusForbidden {
		t.Errorf("with a wrong key: %d %s", status, text)
	}
}
