package main

import (
	"crypto/x509"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheConfigurationsOfTheAuthenticationPageAreGood validates each of them as it
// stands. Those that take certificates from attributes get such.
func TestTheConfigurationsOfTheAuthenticationPageAreGood(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("docs", "authentication.md"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, b := range block.FindAllStringSubmatch(string(page), -1) {
		if b[1] != "json" {
			continue
		}
		n++
		file := filepath.Join(t.TempDir(), "api.json")
		if err := os.WriteFile(file, []byte(b[2]), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"validate", file}
		if strings.Contains(b[2], `"attr": "ca"`) {
			certificate, both := certificateFiles(t)
			args = append(args, "--attr-file", "ca="+certificate, "--attr-file", "#client="+both)
		}
		if status, _, stderr := offline(t, args...); status != statusOK {
			t.Errorf("%s\nis not good:\n%s", b[2], stderr)
		}
	}
	if n < 11 {
		t.Errorf("only %d configurations", n)
	}
}

// certificateFiles writes a certificate in PEM, and it with its key.
func certificateFiles(t *testing.T) (certificate, both string) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	server.Close()
	pair := server.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})
	dir := t.TempDir()
	certificate, both = filepath.Join(dir, "ca.pem"), filepath.Join(dir, "client.pem")
	for name, content := range map[string][]byte{
		certificate: text,
		both:        append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...),
	} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, both
}
