package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"

	"sluice/pipeline"
	"sluice/source/request"
	"sluice/source/transport"
)

// A signer signs with the number of the session, and notes what it is told.
type signer struct {
	session int
	renews  bool
	fails   error
	told    []string
}

func (s *signer) Apply(_ context.Context, r *request.Request) error {
	s.told = append(s.told, fmt.Sprint("apply ", s.session))
	if s.fails != nil {
		return s.fails
	}
	r.SetHeader("X-Session", fmt.Sprint(s.session))
	r.Login = append(r.Login, request.Param{Name: "key", Value: []byte(fmt.Sprint(s.session)), Secret: true})
	r.Session = s.session
	return nil
}

func (s *signer) Rejected(r *request.Request) bool {
	s.told = append(s.told, fmt.Sprint("rejected ", r.Session))
	if s.renews {
		s.session++
	}
	return s.renews
}

func (s *signer) Done(r *request.Request) {
	s.told = append(s.told, fmt.Sprint("done ", r.Session))
}

func (s *signer) functions() *request.Signer {
	return &request.Signer{Apply: s.Apply, Rejected: s.Rejected, Done: s.Done}
}

func TestEachAttemptIsSignedAnewOnAClone(t *testing.T) {
	bubble(t, retries(2), answers(503, 503, 200), func(w *world) {
		s, r := &signer{session: 1}, ask("http://api.test/x?a=1")
		if _, err := w.do(r, s.functions()); err != nil {
			t.Fatal(err)
		}
		if want := []string{"apply 1", "done 1", "apply 1", "done 1", "apply 1", "done 1"}; !slices.Equal(s.told, want) {
			t.Errorf("told %q", s.told)
		}
		if w.hits[2].URL != "http://api.test/x?a=1&key=1" || w.hits[2].Header.Get("X-Session") != "1" {
			t.Errorf("sent %+v", w.hits[2])
		}
		if len(r.Header) != 0 || len(r.Login) != 0 || r.Session != nil {
			t.Errorf("the request itself was signed: %+v", r)
		}
	})
}

func TestA401IsWorthOneNewLogin(t *testing.T) {
	for _, c := range []struct {
		name     string
		statuses []int
		renews   bool
		told     []string
		says     string
	}{
		{"that helps", []int{401, 200}, true, []string{"apply 1", "rejected 1", "done 1", "apply 2", "done 2"}, ""},
		{"that does not help", []int{401}, true, []string{"apply 1", "rejected 1", "done 1", "apply 2", "done 2"}, "GET http://api.test/x?key=[secret]: 401 Unauthorized, and a new login did not help: [1]"},
		{"that is not possible", []int{401}, false, []string{"apply 1", "rejected 1", "done 1"}, "GET http://api.test/x?key=[secret]: 401 Unauthorized: [1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, retries(0), answers(c.statuses...), func(w *world) {
				s := &signer{session: 1, renews: c.renews}
				_, err := w.do(ask("http://api.test/x"), s.functions())
				if got := fmt.Sprint(err); got != c.says && (err != nil || c.says != "") {
					t.Errorf("got  %s\nwant %s", got, c.says)
				}
				if !slices.Equal(s.told, c.told) {
					t.Errorf("told %q, want %q", s.told, c.told)
				}
				if n := len(events[pipeline.Retrying](w)); n != 0 || w.dials != 1 {
					t.Errorf("%d retries, %d connections", n, w.dials)
				}
			})
		})
	}
}

func TestOneNewLoginIsAllForARequestWhateverItsAttempts(t *testing.T) {
	bubble(t, retries(5), answers(401, 503, 401), func(w *world) {
		s := &signer{session: 1, renews: true}
		_, err := w.do(ask("http://api.test/x"), s.functions())
		contains(t, err, "401 Unauthorized, and a new login did not help")
		if len(w.hits) != 3 || pipeline.IsTemporary(err) {
			t.Errorf("%d requests", len(w.hits))
		}
	})
}

func TestA401ThatIsRetriedGetsItsNewLoginFirst(t *testing.T) {
	o := retries(1)
	o.Retry.Codes = []int{401}
	bubble(t, o, answers(401, 401, 200), func(w *world) {
		if _, err := w.do(ask("http://api.test/x"), (&signer{session: 1, renews: true}).functions()); err != nil || len(events[pipeline.Retrying](w)) != 1 {
			t.Error(err)
		}
	})
}

func TestAFailedLoginIsFinalAndReturnedAsItIs(t *testing.T) {
	bubble(t, retries(5), answers(200), func(w *world) {
		s := &signer{fails: errors.New("login: the user is unknown")}
		if _, err := w.do(ask("http://api.test/x"), s.functions()); err != s.fails || len(s.told) != 1 || len(w.hits) != 0 {
			t.Errorf("%v, told %q", err, s.told)
		}
	})
}

func TestAnExchangeIsDoneOnlyWhenItsBodyHasBeenRead(t *testing.T) {
	bubble(t, retries(0), answers(200), func(w *world) {
		s := &signer{session: 1}
		err := w.client.Do(w.t.Context(), pipeline.Call{Page: 1}, ask("http://api.test/x"), s.functions(), func(r *transport.Response) error {
			if len(s.told) != 1 {
				t.Errorf("before the body was read: %q", s.told)
			}
			_, err := io.ReadAll(r.Body)
			return err
		})
		if err != nil || len(s.told) != 2 {
			t.Errorf("%v, told %q", err, s.told)
		}
	})
}

func TestOtherStatusesCanBeAccepted(t *testing.T) {
	o := retries(0)
	o.Accept = func(status int) bool { return status == http.StatusNotFound }
	bubble(t, o, answers(404), func(w *world) {
		if got, err := w.do(ask("http://api.test/x"), nil); got != "[1]" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := w.call(w.t.Context(), pipeline.Call{}, ask("http://api.test/login"), nil); err == nil {
			t.Error("a login was accepted, too")
		}
	})
}
