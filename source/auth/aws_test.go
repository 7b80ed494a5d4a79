package auth_test

import (
	"crypto/rand"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"sluice/fixtures/s3/gateway"
	"sluice/source/auth"
	"sluice/source/config"
	"sluice/source/request"
)

// signature makes one for S3 with a secret key.
func signature(t *testing.T, key string) *request.Signer {
	t.Helper()
	var p config.Problems
	s := auth.New(nil, parse(t, `{"signature": {"credentials": {"accessKeyId": "reader", "#secretKey": {"attr": "#key"}, "serviceName": "s3", "regionName": "us-east-1"}}}`),
		env(map[string]string{"#key": key}, time.Now), &p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestARealGatewayTakesTheSignature(t *testing.T) {
	address, _ := gateway.Start(t, t.TempDir(), "reader", "open-sesame")
	base := "http://" + address
	good, bad := signature(t, "open-sesame"), signature(t, "open-barley")
	client := &http.Client{Timeout: 20 * time.Second}
	ask := func(s *request.Signer, method, target, body string) (int, string) {
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
