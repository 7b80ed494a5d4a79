package auth_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"sluice/source/auth"
	"sluice/source/config"
	"sluice/source/request"
)

// A diary keeps tokens, and writes down what happens in which order.
type diary struct {
	lines []string
	seed  string
	kept  map[string]string
	full  error
}

func (d *diary) add(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *diary) Begin(seed string, names []string) (kept map[string]string, told string, err error) {
	d.seed = seed
	d.add("begin %v", names)
	return d.kept, "", nil
}

func (d *diary) Renew() error {
	d.add("renew")
	return nil
}

func (d *diary) End(kept map[string]string) error {
	d.add("end %v", kept)
	if kept != nil && d.full == nil {
		d.kept = kept
	}
	return d.full
}

// loggedIn signs a request, for which a login is sent that is answered so.
func loggedIn(t *testing.T, d *diary, attributes map[string]string, params, answer string) (*request.Request, error) {
	t.Helper()
	e := env(attributes, time.Now)
	e.Keeper = d
	e.Header = http.Header{}
	e.Renew = func(*request.Request) error { return nil }
	e.Resolve = func(string) (*url.URL, request.Params, error) {
		return &url.URL{Scheme: "http", Host: "api.test", Path: "/login"}, nil, nil
	}
	e.Send = func(_ string, r *request.Request, read func(auth.LoginAnswer) error) error {
		if err := r.Renew(r); err != nil {
			return err
		}
		d.add("send %s", r.Params[0].Value)
		if answer == "" {
			return errors.New("no answer")
		}
		return read(auth.LoginAnswer{Header: http.Header{}, Body: bytes.NewReader([]byte(answer))})
	}
	n := parse(t, `{"type": "login", "keep": {"refresh": {"response": "next"}}, "loginRequest": {"endpoint": "login", "method": "POST", "params": `+params+`},
	  "apiRequest": {"headers": {"X-Token": {"response": "token"}}}}`)
	var p config.Problems
	s := auth.New(n, nil, e, &p)
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	r := &request.Request{Header: http.Header{}}
	return r, s.Apply(t.Context(), r)
}

const once = `{"refresh": {"function": "ifempty", "args": [{"kept": "refresh"}, {"attr": "#refresh"}]}}`

func TestWhatALoginGivesIsKeptBeforeItIsUsed(t *testing.T) {
	full := errors.New("no room")
	for name, c := range map[string]struct {
		kept   map[string]string
		answer string
		full   error
		lines  []string
		err    string
	}{
		"the first one": {
			answer: `{"token": "t-1", "next": "r-1"}`,
			lines:  []string{"begin [refresh]", "renew", `send "seed"`, "end map[refresh:r-1]"},
		},
		"a later one": {
			kept: map[string]string{"refresh": "r-1"}, answer: `{"token": "t-1", "next": 22}`,
			lines: []string{"begin [refresh]", "renew", `send "r-1"`, "end map[refresh:22]"},
		},
		"one that gives none": {
			kept: map[string]string{"refresh": "r-1"}, answer: `{"token": "t-1", "next": null}`,
			lines: []string{"begin [refresh]", "renew", `send "r-1"`, "end map[refresh:r-1]"},
		},
		"the first one gives none": {
			answer: `{"token": "t-1"}`,
			lines:  []string{"begin [refresh]", "renew", `send "seed"`, "end map[]"},
			err:    "api.authentication.keep.refresh: the login response has nothing there",
		},
		"no session": {
			answer: `{"next": "r-1"}`,
			lines:  []string{"begin [refresh]", "renew", `send "seed"`, "end map[refresh:r-1]"},
			err:    `response "token" is missing`,
		},
		"no answer": {
			lines: []string{"begin [refresh]", "renew", `send "seed"`, "end map[]"},
			err:   "no answer",
		},
		"no room": {
			answer: `{"token": "t-1", "next": "r-1"}`, full: full,
			lines: []string{"begin [refresh]", "renew", `send "seed"`, "end map[refresh:r-1]"},
			err:   "what the answer gives for the next login cannot be stored, so nothing of the answer is used: no room",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := &diary{kept: c.kept, full: c.full}
			r, err := loggedIn(t, d, map[string]string{"#refresh": "seed"}, once, c.answer)
			if !slices.Equal(d.lines, c.lines) {
				t.Errorf("%q", d.lines)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v, want %q", err, c.err)
			}
			if signed := r.Header.Get("X-Token") != ""; signed != (c.err == "") {
				t.Errorf("signed: %t", signed)
			}
		})
	}
}

func TestTheSeedIsTheAttributesBesideWhatIsKept(t *testing.T) {
	seed := func(attributes map[string]string, params string) string {
		d := &diary{}
		if _, err := loggedIn(t, d, attributes, params, `{"token": "t-1", "next": "r-1"}`); err != nil {
			t.Fatal(err)
		}
		return d.seed
	}
	own := map[string]string{"#refresh": "a", "#password": "b", "client": "c"}
	const nested = `{"auth": {"password": {"attr": "#password"}, "token": {"function": "ifempty", "args": [{"function": "concat", "args": [{"kept": "refresh"}]}, {"attr": "#refresh"}]}}}`
	for name, c := range map[string]struct {
		attributes map[string]string
		params     string
		same       bool
	}{
		"itself":                   {own, once, true},
		"another attribute":        {map[string]string{"#refresh": "a", "#password": "x", "client": "x"}, nested, true},
		"an attribute by its name": {map[string]string{"#again": "a"}, strings.ReplaceAll(once, "#refresh", "#again"), true},
		"another one":              {map[string]string{"#refresh": "z"}, once, false},
		"another one, nested":      {map[string]string{"#refresh": "z", "#password": "b"}, nested, false},
		"none":                     {own, `{"refresh": {"kept": "refresh"}, "password": {"attr": "#refresh"}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if same := seed(c.attributes, c.params) == seed(own, once); same != c.same {
				t.Errorf("the same seed: %t", same)
			}
		})
	}
}
