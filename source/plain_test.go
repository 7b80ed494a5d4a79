package source_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sluice/pipeline"
)

// answersRaw accepts connections, reads the beginning of what is asked, and answers with text.
func answersRaw(t *testing.T, text string) (address string) {
	t.Helper()
	return accepts(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 4096))
		_, _ = io.WriteString(c, text)
	})
}

// accepts accepts connections, and does with each what it is told before it closes it.
func accepts(t *testing.T, do func(net.Conn)) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			do(c)
			_ = c.Close()
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-done
	})
	return listener.Addr().String()
}

func TestAPortForTLSIsToldAtOnce(t *testing.T) {
	address := answersRaw(t, "\x15\x03\x01\x00\x02\x02\x46")
	_, err := fromNetwork(t, fmt.Sprintf(`{"api": {"baseUrl": "http://%s/"}, "config": {"jobs": [{"endpoint": "a"}]}}`, address))
	says := "the server speaks TLS: the address must begin with https:// and not http://"
	if err == nil || !strings.HasSuffix(err.Error(), says) {
		t.Error(err)
	}
}

func TestAPortThatOnlyClosesMayBeOneForTLS(t *testing.T) {
	address := answersRaw(t, "")
	_, err := fromNetwork(t, fmt.Sprintf(
		`{"api": {"baseUrl": "http://%s/", "retryConfig": {"maxRetries": 0}}, "config": {"jobs": [{"endpoint": "a"}]}}`, address))
	says := "(if this is a port for TLS, the address must begin with https://)"
	if err == nil || !strings.Contains(err.Error(), says) {
		t.Error(err)
	}
}

// The server is another one than the address means: SSH, mail, Redis, or a proxy that speaks another protocol.
func TestAnAnswerThatIsNotHTTPSaysWhatToCheck(t *testing.T) {
	for name, answer := range map[string]string{
		"SSH":                     "SSH-2.0-OpenSSH_9.9\r\n",
		"mail":                    "220 mail.test ESMTP\r\n",
		"Redis":                   "-ERR wrong number of arguments for 'get' command\r\n",
		"a version there is not":  "HTTP/9.x 200 OK\r\n\r\n",
		"a stream of radio":       "ICY 200 OK\r\n\r\n",
		"a status without number": "HTTP/1.1 OK\r\n\r\n",
		"zeros":                   "\x00\x00\x00\x04\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			address := answersRaw(t, answer)
			_, err := fromNetwork(t, fmt.Sprintf(
				`{"api": {"baseUrl": "http://%s/", "retryConfig": {"maxRetries": 0}}, "config": {"jobs": [{"endpoint": "a"}]}}`, address))
			says := ": what answers at " + address + " does not speak HTTP: check host and port of the address after 1 attempt"
			if err == nil || !strings.HasSuffix(err.Error(), says) || !pipeline.IsTemporary(err) {
				t.Error(err)
			}
		})
	}
}

// What greets before it is asked is no server of HTTP either, and its greeting goes nowhere.
func TestAGreetingBeforeTheRequestIsNotHTTP(t *testing.T) {
	address := accepts(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "SSH-2.0-OpenSSH_9.9\r\n")
		_, _ = io.Copy(io.Discard, c)
	})
	_, err := fromNetwork(t, fmt.Sprintf(
		`{"api": {"baseUrl": "http://%s/", "retryConfig": {"maxRetries": 0}}, "config": {"jobs": [{"endpoint": "a"}]}}`, address))
	if err == nil || !strings.Contains(err.Error(), "does not speak HTTP: check host and port") {
		t.Error(err)
	}
}

func TestACertificateThatHasExpiredSaysWhoMustRenewIt(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*x509.Certificate)
		says   string
	}{
		"expired": {
			func(c *x509.Certificate) {
				c.NotBefore, c.NotAfter = time.Now().Add(-2*time.Hour), time.Now().Add(-time.Hour)
			},
			": if the clock of this machine is right, whoever runs the server must renew it",
		},
		"of another host": {
			func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 9)} },
			": check the host of the address",
		},
	} {
		t.Run(name, func(t *testing.T) {
			certificate, key, _ := issue(t, nil, c.change)
			pair, err := tls.X509KeyPair([]byte(certificate), []byte(key))
			must(t, err)
			server := httptest.NewUnstartedServer(http.NotFoundHandler())
			server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.StartTLS()
			defer server.Close()
			_, err = fromNetwork(t, fmt.Sprintf(
				`{"api": {"baseUrl": %q, "caCertificate": %q}, "config": {"jobs": [{"endpoint": "a"}]}}`, server.URL, certificate))
			if err == nil || !strings.HasSuffix(err.Error(), c.says) {
				t.Error(err)
			}
		})
	}
}
