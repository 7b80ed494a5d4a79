package transport_test

import (
	"errors"
	"net/http"
	"testing"

	"sluice/source/request"
)

// A finisher signs the finished request.
type finisher struct {
	signer
	saw   []string // what it was given
	wrong error
}

func (f *finisher) Finish(h *http.Request) error {
	f.saw = append(f.saw, h.Method+" "+h.URL.String()+" "+h.Header.Get("X-Session")+" "+h.Header.Get("Accept"))
	h.Header.Set("X-Signature", "signed")
	return f.wrong
}

func (f *finisher) functions() *request.Signer {
	s := f.signer.functions()
	s.Finish = f.Finish
	return s
}

func TestEachAttemptIsFinishedOnceAsItIsSent(t *testing.T) {
	bubble(t, retries(1), answers(503, 200), func(w *world) {
		s, r := &finisher{signer: signer{session: 1}}, ask("http://api.test/x?a=1")
		if _, err := w.do(r, s.functions()); err != nil {
			t.Fatal(err)
		}
		const want = "GET http://api.test/x?a=1&key=1 1 application/json"
		if len(s.saw) != 2 || s.saw[0] != want || s.saw[1] != want || w.hits[1].Header.Get("X-Signature") != "signed" {
			t.Errorf("saw %q, sent %+v", s.saw, w.hits[1])
		}
	})
}

func TestASignatureThatCannotBeMadeIsFinal(t *testing.T) {
	bubble(t, retries(5), answers(200), func(w *world) {
		s := &finisher{wrong: errors.New("no key")}
		if _, err := w.do(ask("http://api.test/x"), s.functions()); err != s.wrong || len(s.saw) != 1 || len(w.hits) != 0 {
			t.Errorf("%v after %q", err, s.saw)
		}
	})
}
