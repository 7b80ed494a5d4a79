package s3_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	fake "sluice/fixtures/s3"
	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/sink/s3"
)

func body(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }

func TestAMistakeInTheFlagsIsToldWithoutIO(t *testing.T) {
	for _, c := range []struct {
		place, endpoint string
		part            int64
		want            string
	}{
		{place: "s3://", want: `"s3://" names no bucket: write s3://bucket/prefix/; a bucket has letters, digits, dots and hyphens`},
		{place: "s3:///prefix/", want: `"s3:///prefix/" names no bucket: write s3://bucket/prefix/; a bucket has letters, digits, dots and hyphens`},
		{place: "s3://a b/", want: `"s3://a b/" names no bucket: write s3://bucket/prefix/; a bucket has letters, digits, dots and hyphens`},
		{place: "gs://bucket/", want: `"gs://bucket/" is no place in a bucket: it must begin with s3://`},
		{place: "s3://bucket/", part: 5<<20 - 1, want: "--s3-part-size: 5242879 bytes is not between 5 MiB and 5 GiB"},
		{place: "s3://bucket/", part: 6 << 30, want: "--s3-part-size: 6 GiB is not between 5 MiB and 5 GiB"},
		{place: "s3://bucket/", part: -1, want: "--s3-part-size: -1 bytes is not between 5 MiB and 5 GiB"},
		{place: "s3://bucket/", endpoint: "localhost:9000", want: "--s3-endpoint must be a URL such as https://s3.example.com:9000, without user and password"},
		{place: "s3://bucket/", endpoint: "http://a:hunter2@host", want: "--s3-endpoint must be a URL such as https://s3.example.com:9000, without user and password"},
	} {
		_, err := s3.New(s3.Options{Endpoint: c.endpoint, PartSize: c.part}, c.place)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

func TestARefusalSaysWhatToDo(t *testing.T) {
	const at = "s3://bucket/a/x: "
	for _, c := range []struct {
		status        int
		code, message string
		region        string
		want          string
	}{
		{404, "NoSuchBucket", "m", "", "there is no such bucket at URL: make it, or name another"},
		{403, "InvalidAccessKeyId", "m", "", "URL does not know this access key: check AWS_ACCESS_KEY_ID, or the profile"},
		{403, "SignatureDoesNotMatch", "m", "", "URL says that the secret key does not fit the access key: check AWS_SECRET_ACCESS_KEY, or the profile"},
		{400, "ExpiredToken", "m", "", "URL says that the session token has expired: renew the credentials"},
		{403, "AccessDenied", "Access\n Denied", "", "URL refuses: 403 AccessDenied: Access Denied; this takes the permission s3:PutObject"},
		{301, "PermanentRedirect", "m", "eu-west-1", "the bucket is in the region eu-west-1, not in us-east-1: set --s3-region or AWS_REGION"},
		{400, "AuthorizationHeaderMalformed", "expecting 'eu-west-1'", "", "400 AuthorizationHeaderMalformed: expecting 'eu-west-1'; the request was for the region us-east-1: set --s3-region or AWS_REGION"},
		{405, "MethodNotAllowed", "m", "", "URL answers 405 MethodNotAllowed: m"},
		{418, "Teapot", strings.Repeat("ü", 400), "", "URL answers 418 Teapot: " + strings.Repeat("ü", 144) + "…"},
	} {
		p := embedded(t)
		w := p.listen(&wire{before: func(_ string, _ int, r *http.Request) (*http.Response, error) {
			answer := answers(r, c.status, c.code, c.message)
			answer.Header.Set("X-Amz-Bucket-Region", c.region)
			return answer, nil
		}})
		err := p.open(t, "a/").Probe(t.Context(), []string{"x"})
		want := at + strings.ReplaceAll(c.want, "URL", p.options.Endpoint)
		if err == nil || err.Error() != want || pipeline.IsTemporary(err) {
			t.Errorf("%s: got %v\nwant %s", c.code, err, want)
		}
		if got := w.seen(); got != "create" {
			t.Errorf("%s: requests %s", c.code, got)
		}
	}
}

func TestASecretIsTakenOutBeforeTheTextIsCut(t *testing.T) {
	for before := range 300 { // so that the cut goes through the secret sooner or later
		p := embedded(t)
		p.options.Secrets = &secret.Set{}
		p.listen(&wire{before: func(_ string, _ int, r *http.Request) (*http.Response, error) {
			return answers(r, 418, "Teapot", strings.Repeat(".", before)+secretKey+strings.Repeat(".", 300)), nil
		}})
		err := p.open(t, "").Probe(t.Context(), []string{"x"})
		if err == nil || strings.Contains(err.Error(), secretKey[:4]) {
			t.Fatalf("%d: got %v", before, err)
		}
	}
}

func TestAServerThatIsNoS3IsSaidSo(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	err := newPlace(t, server.URL, "bucket", nil).object(t, "", "x", nil)
	if err == nil || !strings.HasPrefix(err.Error(), "s3://bucket/x: "+server.URL+" answers 404") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

func TestABucketThatIsMissingIsSaidByTheEmbeddedS3Too(t *testing.T) {
	p := embedded(t)
	p.bucket = "other"
	err := p.open(t, "").Probe(t.Context(), []string{"x"})
	if err == nil || err.Error() != "s3://other/x: there is no such bucket at "+p.options.Endpoint+": make it, or name another" {
		t.Errorf("got %v", err)
	}
}

func TestAVariableMissingInTheEnvironmentIsNamed(t *testing.T) {
	keys := map[string]string{"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey}
	for name, c := range map[string]struct {
		environment map[string]string
		endpoint    string
		want        string
	}{
		"credentials": {nil, "http://localhost:1",
			"no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run where a role gives them"},
		"region":  {keys, "", "no region: set --s3-region or AWS_REGION, or --s3-endpoint if it is not Amazon's"},
		"profile": {map[string]string{"AWS_PROFILE": "none"}, "", "the AWS configuration: failed to get shared config profile, none"},
	} {
		t.Run(name, func(t *testing.T) {
			environment(t, c.environment)
			to, err := s3.New(s3.Options{Endpoint: c.endpoint}, "s3://bucket/a/")
			must(t, err)
			err = to.Probe(t.Context(), []string{"x"})
			if err == nil || err.Error() != "s3://bucket/a/: "+c.want || pipeline.IsTemporary(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAHostThatDoesNotExistIsFinal(t *testing.T) {
	for host, check := range map[string]string{
		"s3.invalid":                     "check --s3-endpoint and AWS_ENDPOINT_URL_S3, or the name of the bucket",
		"s3.eu-centrall-1.amazonaws.com": "check --s3-region and AWS_REGION, or the name of the bucket",
	} {
		p := embedded(t)
		dials := 0
		p.options.Endpoint = "http://" + host
		p.options.Dial = func(context.Context, string, string) (net.Conn, error) {
			dials++
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}}
		}
		err := p.open(t, "").Probe(t.Context(), []string{"x"})
		want := fmt.Sprintf("s3://bucket/x: http://%s: there is no host %s: %s", host, host, check)
		if err == nil || err.Error() != want || pipeline.IsTemporary(err) || dials != 1 {
			t.Errorf("got %v after %d attempts", err, dials)
		}
	}
}

// The server answers whatever it reads, as TestAServerWithoutTLSIsFinal of transport has it.
func TestAServerWithoutTLSIsSaidSo(t *testing.T) {
	p := embedded(t)
	p.options.Endpoint = "https://s3.test:9000"
	p.options.Dial = func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			_, _ = theirs.Read(make([]byte, 64<<10))
			_, _ = io.WriteString(theirs, "HTTP/1.1 400 Bad Request\r\n\r\n")
		}()
		return ours, nil
	}
	err := p.open(t, "").Probe(t.Context(), []string{"x"})
	const want = "s3://bucket/x: https://s3.test:9000 does not speak TLS: check whether --s3-endpoint begins with http:// and not https://"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestACertificateCountsOnlyIfTheBundleHasIt(t *testing.T) {
	server := httptest.NewUnstartedServer(fake.New("bucket"))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshake that fails
	server.StartTLS()
	defer server.Close()
	p := newPlace(t, server.URL, "bucket", nil)
	err := p.open(t, "").Probe(t.Context(), []string{"x"})
	if err == nil || !strings.Contains(err.Error(), "certificate") || pipeline.IsTemporary(err) {
		t.Errorf("got %v", err)
	}
	bundle := filepath.Join(t.TempDir(), "bundle.pem")
	must(t, os.WriteFile(bundle, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
	t.Setenv("AWS_CA_BUNDLE", bundle)
	must(t, p.open(t, "").Probe(t.Context(), []string{"x"}))
}

func TestTheEnvironmentNamesTheEndpoint(t *testing.T) {
	for _, name := range []string{"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"} {
		p := embedded(t)
		os.Unsetenv("AWS_ENDPOINT_URL_S3") // set and empty is something else; the test's clean-up restores it
		t.Setenv(name, p.options.Endpoint)
		p.options.Endpoint = ""
		must(t, p.object(t, "", "x", nil))
		p.holds(t, "x")
	}
}

func TestAnAnonymousTargetSignsNothingAndReadsNoEnvironment(t *testing.T) {
	p := embedded(t)
	environment(t, map[string]string{"AWS_PROFILE": "none", "AWS_CA_BUNDLE": "/nowhere", "AWS_ENDPOINT_URL": "http://other.test"})
	p.options.Anonymous = true
	p.listen(&wire{before: func(_ string, _ int, r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") != "" {
			t.Errorf("it is signed: %v", r.Header)
		}
		return nil, nil
	}})
	must(t, p.object(t, "", "x", sample(10)))
	p.holds(t, "x")
}

func TestThePasswordOfAnEndpointIsNotShown(t *testing.T) {
	p := embedded(t)
	os.Unsetenv("AWS_ENDPOINT_URL_S3")
	t.Setenv("AWS_ENDPOINT_URL", "http://somebody:hunter2@s3.test")
	p.options.Endpoint = ""
	p.listen(&wire{before: func(_ string, _ int, r *http.Request) (*http.Response, error) {
		return answers(r, 403, "AccessDenied", "no"), nil
	}})
	err := p.open(t, "").Probe(t.Context(), []string{"x"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestTheBucketStandsInThePathOrInTheHost(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		path     *bool
		endpoint string
		region   string
		want     string
	}{
		{nil, "http://s3.test", "", "http://s3.test/bucket/x"},
		{&yes, "http://s3.test", "", "http://s3.test/bucket/x"},
		{&no, "http://s3.test", "", "http://bucket.s3.test/x"},
		{nil, "", "eu-west-1", "https://bucket.s3.eu-west-1.amazonaws.com/x"},
		{&yes, "", "eu-west-1", "https://s3.eu-west-1.amazonaws.com/bucket/x"},
	} {
		p := embedded(t)
		os.Unsetenv("AWS_ENDPOINT_URL_S3")
		os.Unsetenv("AWS_ENDPOINT_URL")
		p.options.Endpoint, p.options.Region, p.options.PathStyle = c.endpoint, c.region, c.path
		var got string
		p.listen(&wire{before: func(_ string, _ int, r *http.Request) (*http.Response, error) {
			got = r.URL.Scheme + "://" + r.URL.Host + r.URL.EscapedPath()
			return answers(r, 403, "AccessDenied", ""), nil
		}})
		_ = p.open(t, "").Probe(t.Context(), []string{"x"})
		if got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestChecksumsAreSentWhereTheServerSurelyKnowsThem(t *testing.T) {
	for name, c := range map[string]struct {
		endpoint, chosen string
		want             bool
	}{
		"own endpoint":             {"http://s3.test", "", false},
		"own endpoint, chosen":     {"http://s3.test", "when_supported", true},
		"Amazon's":                 {"", "", true},
		"Amazon's, but not chosen": {"", "when_required", false},
	} {
		t.Run(name, func(t *testing.T) {
			p := embedded(t)
			os.Unsetenv("AWS_ENDPOINT_URL_S3")
			os.Unsetenv("AWS_ENDPOINT_URL")
			t.Setenv("AWS_REQUEST_CHECKSUM_CALCULATION", c.chosen)
			p.options.Endpoint, p.options.Region = c.endpoint, "eu-west-1"
			var got bool
			p.listen(&wire{before: func(kind string, _ int, r *http.Request) (*http.Response, error) {
				got = got || kind == "put" && (r.Header.Get("X-Amz-Checksum-Crc32") != "" || r.Header.Get("X-Amz-Trailer") != "")
				return answers(r, 403, "AccessDenied", ""), nil
			}})
			_ = store(t.Context(), p.open(t, ""), "x", []byte("text"))
			if got != c.want {
				t.Errorf("sent: %t, want %t", got, c.want)
			}
		})
	}
}

func TestAKeyThatIsTooLongIsRefusedInTheProbe(t *testing.T) {
	p := embedded(t)
	w := p.listen(&wire{})
	err := p.open(t, strings.Repeat("ü", 512)).Probe(t.Context(), []string{"x"})
	if err == nil || !strings.HasSuffix(err.Error(), "a key of 1025 bytes is too long, 1024 are allowed") || w.seen() != "" {
		t.Errorf("got %v", err)
	}
}
