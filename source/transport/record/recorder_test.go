package record_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/request"
	"sluice/source/transport/record"
)

func TestTheRecordOfALoginHasNoValueButItsExpiry(t *testing.T) {
	public := []item.Path{{"data", "expires"}, {"list", "1"}}
	for answer, want := range map[string]string{
		`{"token":"abc","n":12,"ok":true,"no":null}`:                     `{"token":"[secret]","n":"[secret]","ok":true,"no":null}`,
		`{ "data": {"expires": "2026-01-01 10:00:00", "refresh": "x"} }`: `{"data":{"expires":"2026-01-01 10:00:00","refresh":"[secret]"}}`,
		`{"data":{"expires":{"token":"abc"}}}`:                           `{"data":{"expires":{"token":"[secret]"}}}`,
		`{"list":["a",3600,"b"],"expires":5}`:                            `{"list":["[secret]",3600,"[secret]"],"expires":"[secret]"}`,
		`"abc"`:                                                          `"[secret]"`, `17`: `"[secret]"`, `{}`: `{}`, ``: ``,
		`abc`: `[secret]`, `{"token":"abc"`: `{`, `"abc`: `{`, `{"token":}`: `[secret]`, `user=a&token=b`: `[secret]`,
	} {
		if got := string(record.CleanLogin([]byte(answer), public)); got != want {
			t.Errorf("%s became %s, want %s", answer, got, want)
		}
	}
}

// network answers every request with a body.
type network string

func (n network) RoundTrip(h *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: h, Body: io.NopCloser(strings.NewReader(string(n)))}, nil
}

// through sends a request for page 1 through a wrapper, and returns the body of the
// answer and what the exchange tells.
func through(t testing.TB, wrap func(http.RoundTripper, *record.ExchangeDetails) http.RoundTripper, answer string) (body, warning string, err error) {
	t.Helper()
	h, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://api.test/", nil)
	if err != nil {
		t.Fatal(err)
	}
	e := &record.ExchangeDetails{Request: &request.Request{}, Call: pipeline.Call{Job: "a", Page: 1, Method: h.Method, URL: h.URL.String()}}
	got, err := wrap(network(answer), e).RoundTrip(h)
	if err != nil {
		return "", "", err
	}
	text, err := io.ReadAll(got.Body)
	if err == nil {
		err = got.Body.Close()
	}
	return string(text), e.Warning, err
}

// replayed is what a replay answers where the network gave an answer with secrets.
func replayed(t testing.TB, answer string, values ...string) (body, warning string, err error) {
	t.Helper()
	known := &secret.Set{}
	known.Add(values...)
	dir := t.TempDir()
	recorder := record.NewRecorder(dir, record.Head{}, known)
	if err := recorder.Start(); err != nil {
		t.Fatal(err)
	}
	body, warning, err = through(t, recorder.Wrap, answer)
	if err := errors.Join(err, recorder.Err()); err != nil || body != answer {
		t.Fatalf("while it is recorded: %q, %v", body, err)
	}
	replay, err := record.OpenReplay(dir, known)
	if err != nil {
		t.Fatal(err)
	}
	body, _, err = through(t, replay.Wrap, "")
	return body, warning, err
}

func TestARecordThatLostASecretIsReplayedWithoutIt(t *testing.T) {
	for answer, want := range map[string]string{
		`{"a":"x 1234 y","b":[]}`: `{"a":"x [secret] y","b":[]}`,
		"\n" + `["\\n123"]`:       "\n" + `["\\[secret]"]`,
		`the 1234`:                `the [secret]`,
		`{"c":12345.5e1}`:         `{"c":[secret]5.5e1}`,
	} {
		got, warning, err := replayed(t, answer, "1234", "n123")
		if got != want || err != nil || !strings.Contains(warning, "if it is part of an item, a replay gives [secret]") {
			t.Errorf("%s became %s (%v), want %s; %s", answer, got, err, want, warning)
		}
	}
}
