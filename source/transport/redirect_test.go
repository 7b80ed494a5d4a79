package transport_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"sluice/pipeline"
	"sluice/pipeline/report"
	"sluice/source/request"
)

// redirect answers requests for /x with a redirect, and all others with [1].
func redirect(status int, location string) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/x" {
			rw.Header().Set("Location", location)
			rw.WriteHeader(status)
			_, _ = io.WriteString(rw, "elsewhere")
			return
		}
		_, _ = io.WriteString(rw, "[1]")
	}
}

func TestRedirectsOfOneOriginKeepTheHeadersAndTurnSomePostsIntoGets(t *testing.T) {
	for _, c := range []struct {
		status int
		method request.Method
		want   string
	}{
		{301, request.Get, "GET http://api.test/y?n=1 "}, {302, request.Get, "GET http://api.test/y?n=1 "},
		{303, request.Get, "GET http://api.test/y?n=1 "}, {307, request.Get, "GET http://api.test/y?n=1 "},
		{301, request.Post, "GET http://api.test/y?n=1 "}, {302, request.Post, "GET http://api.test/y?n=1 "},
		{303, request.Form, "GET http://api.test/y?n=1 "},
		{307, request.Post, `POST http://api.test/y?n=1 {"limit":2}`}, {308, request.Post, `POST http://api.test/y?n=1 {"limit":2}`},
		{308, request.Form, "POST http://api.test/y?n=1 limit=2"},
	} {
		t.Run(fmt.Sprint(c.status, " ", c.method), func(t *testing.T) {
			bubble(t, retries(0), redirect(c.status, "/y?n=1#top"), func(w *world) {
				r := ask("http://API.test:80/x?limit=2")
				if c.method != request.Get {
					r = post(c.method, "http://API.test:80/x")
				}
				r.Header.Set("X-Key", "abcd")
				r.Header.Set("Host", "api.test")
				if _, err := w.do(r, nil); err != nil {
					t.Fatal(err)
				}
				last := w.hits[len(w.hits)-1]
				if got := last.Method + " " + last.URL + " " + last.Body; len(w.hits) != 2 || got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
				if last.Header.Get("X-Key") != "abcd" || last.Header.Get("Referer") != "" {
					t.Errorf("headers %v", last.Header)
				}
				if (last.Header.Get("Content-Type") != "") != (last.Method == http.MethodPost) {
					t.Errorf("Content-Type %q", last.Header.Get("Content-Type"))
				}
				if len(events[pipeline.Warned](w)) != 0 || w.dials != 1 {
					t.Errorf("%d connections, warnings %v", w.dials, events[pipeline.Warned](w))
				}
			})
		})
	}
}

func TestAnotherOriginGetsNothingThatIsConfigured(t *testing.T) {
	for _, to := range []string{"http://other.test", "http://api.test:8080", "https://api.test"} {
		t.Run(to, func(t *testing.T) {
			o := retries(0)
			o.TLS = certified(t)
			bubble(t, o, redirect(302, to+"/y?limit=2&key=%31&theirs=3&limit=9"), func(w *world) {
				r := ask("http://api.test/x?limit=2")
				r.Header.Set("Authorization", "Bearer abcdef")
				r.Header.Set("Accept", "text/plain")
				r.Header.Set("Host", "front.test")
				for range 2 {
					if _, err := w.do(r, (&signer{session: 1}).functions()); err != nil {
						t.Fatal(err)
					}
				}
				last := w.hits[1]
				if want := to + "/y?theirs=3&limit=9"; last.URL != want {
					t.Errorf("got %s, want %s", last.URL, want)
				}
				got := fmt.Sprint(last.Header)
				if want := "map[Accept:[text/plain] Accept-Encoding:[gzip, zstd] User-Agent:[sluice/test]]"; got != want {
					t.Errorf("headers %s", got)
				}
				warned := events[pipeline.Warned](w)
				want := "GET http://api.test/x?limit=2&key=[secret] redirects to another origin, " + to + "/y?theirs=3&limit=9, " +
					"which gets no credentials and no headers or parameters of the configuration: if it is the API's new address, put it into the configuration"
				if len(warned) != 1 || warned[0].Text != want || warned[0].Job != "users" || warned[0].Verdict != report.Unverified {
					t.Errorf("warnings %+v\nwant %s", warned, want)
				}
			})
		})
	}
}

func TestAnotherOriginGetsNoSecretWithinALink(t *testing.T) {
	bubble(t, retries(0), redirect(302, "http://other.test/y?page=2&self=http%3A%2F%2Fapi.test%2F%3Fkey%3Dhush%252Fhush"), func(w *world) {
		w.secrets.Add("hush/hush")
		if _, err := w.do(ask("http://api.test/x"), nil); err != nil || w.hits[1].URL != "http://other.test/y?page=2" {
			t.Errorf("%v, %s", err, w.hits[1].URL)
		}
	})
}

func TestHeadersDroppedByARedirectStayDroppedOnTheWayBack(t *testing.T) {
	bubble(t, retries(0), func(rw http.ResponseWriter, r *http.Request) {
		switch r.Host + r.URL.Path {
		case "api.test/x":
			http.Redirect(rw, r, "http://other.test/y", http.StatusFound)
		case "other.test/y":
			http.Redirect(rw, r, "http://api.test/z?key=abcd&mine=1", http.StatusFound)
		}
	}, func(w *world) {
		r := ask("http://api.test/x?key=abcd")
		r.Header.Set("X-Key", "abcd")
		if _, err := w.do(r, nil); err != nil {
			t.Fatal(err)
		}
		if last := w.hits[2]; last.URL != "http://api.test/z?mine=1" || last.Header.Get("X-Key") != "" {
			t.Errorf("sent %+v", last)
		}
	})
}

func TestTheBodyOfAPostDoesNotComeBackInAnAddress(t *testing.T) {
	for _, method := range []request.Method{request.Post, request.Form} {
		bubble(t, retries(0), redirect(303, "http://other.test/y?limit=2&theirs=3"), func(w *world) {
			if _, err := w.do(post(method, "http://api.test/x"), nil); err != nil {
				t.Fatal(err)
			}
			if last := w.hits[1]; last.URL != "http://other.test/y?theirs=3" || last.Body != "" || last.Method != http.MethodGet {
				t.Errorf("sent %+v", last)
			}
		})
	}
}

func TestRedirectsThatAreNotFollowed(t *testing.T) {
	for _, c := range []struct {
		name, from, location string
		status               int
		method               request.Method
		says                 string
	}{
		{"https to http", "https://api.test/x", "http://api.test/y", 301, request.Get, "GET https://api.test/x: 301 Moved Permanently redirects from https to http://api.test/y"},
		{"a body to another origin", "http://api.test/x", "http://other.test/y", 307, request.Post, "POST http://api.test/x: 307 Temporary Redirect redirects to another origin, http://other.test/y, which must not see the body"},
		{"a form to another port", "http://api.test/x", "http://api.test:81/y", 308, request.Form, "308 Permanent Redirect redirects to another origin"},
		{"nowhere", "http://api.test/x", "", 302, request.Get, "302 Found without a Location"},
		{"no address", "http://api.test/x", "http://a b/", 302, request.Get, "302 Found with a Location that is no address"},
		{"another scheme", "http://api.test/x", "file:///etc/passwd", 302, request.Get, `no http or https address (scheme "file")`},
		{"no host", "http://api.test/x", "http:///y", 302, request.Get, "no http or https address"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := retries(3)
			o.TLS = certified(t)
			bubble(t, o, redirect(c.status, c.location), func(w *world) {
				r := ask(c.from)
				if c.method != request.Get {
					r = post(c.method, c.from)
				}
				_, err := w.do(r, nil)
				contains(t, err, c.says)
				if len(w.hits) != 1 || pipeline.IsTemporary(err) {
					t.Errorf("%d requests", len(w.hits))
				}
			})
		})
	}
}

func TestFiveRedirectsAreFollowedAndNotSix(t *testing.T) {
	step := func(rw http.ResponseWriter, r *http.Request) {
		n := len(r.URL.Query().Get("n"))
		if n < len(r.URL.Path)-1 {
			http.Redirect(rw, r, r.URL.Path+"?n="+strings.Repeat("i", n+1), http.StatusFound)
		}
	}
	bubble(t, retries(3), step, func(w *world) {
		if _, err := w.do(ask("http://api.test/12345"), nil); err != nil || len(w.hits) != 6 {
			t.Errorf("%v, %d requests", err, len(w.hits))
		}
		_, err := w.do(ask("http://api.test/123456"), nil)
		contains(t, err, "more than 5 redirects: http://api.test/123456 → http://api.test/123456?n=i → ", "?n=iiiiii")
		if len(w.hits) != 12 || pipeline.IsTemporary(err) {
			t.Errorf("%d requests", len(w.hits))
		}
	})
}

func TestAHopIsNotSignedAgainButObserved(t *testing.T) {
	bubble(t, retries(0), redirect(302, "/y?key=1"), func(w *world) {
		s := &signer{session: 1, renews: true}
		if _, err := w.do(ask("http://api.test/x"), s.functions()); err != nil {
			t.Fatal(err)
		}
		if len(s.told) != 2 || w.hits[1].URL != "http://api.test/y?key=1" || w.hits[1].Header.Get("X-Session") != "1" {
			t.Errorf("told %q, sent %+v", s.told, w.hits[1])
		}
		sent, done := events[pipeline.RequestSent](w), events[pipeline.ResponseDone](w)
		if len(sent) != 2 || len(done) != 2 || sent[0].ID == sent[1].ID || done[0].Status != 302 || done[1].Status != 200 {
			t.Fatalf("sent %+v\ndone %+v", sent, done)
		}
		if sent[1].URL != "http://api.test/y?key=[secret]" {
			t.Errorf("shown as %s", sent[1].URL)
		}
	})
}

func TestA401OfAnotherOriginIsNoReasonToLogInAgain(t *testing.T) {
	bubble(t, retries(0), func(rw http.ResponseWriter, r *http.Request) {
		if r.Host == "api.test" {
			http.Redirect(rw, r, "http://other.test/y", http.StatusFound)
			return
		}
		rw.WriteHeader(http.StatusUnauthorized)
	}, func(w *world) {
		s := &signer{session: 1, renews: true}
		_, err := w.do(ask("http://api.test/x"), s.functions())
		contains(t, err, "GET http://other.test/y: 401 Unauthorized")
		if len(s.told) != 2 || len(w.hits) != 2 {
			t.Errorf("told %q", s.told)
		}
	})
}

func TestTheRedirectOfALoginIsShownWithoutItsValues(t *testing.T) {
	bubble(t, retries(0), redirect(302, "http://user:pass@api.test/y?code=fresh-token&flag"), func(w *world) {
		if _, err := w.call(w.t.Context(), pipeline.Call{Job: "users"}, ask("http://api.test/x"), nil); err != nil {
			t.Fatal(err)
		}
		if w.hits[1].URL != "http://api.test/y?code=fresh-token&flag" || w.hits[1].Header.Get("Authorization") != "" {
			t.Errorf("sent %+v", w.hits[1])
		}
		if got := events[pipeline.RequestSent](w)[1].URL; got != "http://api.test/y?code=[secret]&flag" {
			t.Errorf("shown as %s", got)
		}
	})
}

// No Location, however odd, makes a header or a parameter of the configuration
// reach another origin, or anything leave https.
func FuzzALocationNeverLeaksWhatIsConfigured(f *testing.F) {
	for _, seed := range []string{
		"/y", "y?key=hush-hush", "//other.test/?key=hush-hush", "http://other.test/y?key=hush-hush&a=b", "https://api.test:80/",
		"http://API.TEST/", "http://api.test./?key=hush-hush", "http://api.test@other.test/?k%65y=hush-hush", "http://api.test:8080?key=hush%2Dhush",
		"\\\\other.test", "http:/y", "?key=hush-hush", "http://[::1]:80/", "http://other.test/?;key=hush-hush", "http://other.test?%zz=1&key=hush-hush",
	} {
		f.Add(seed, 302)
		f.Add(seed, 307)
	}
	f.Fuzz(func(t *testing.T, location string, status int) {
		if strings.ContainsAny(location, "\r\n\x00") || status < 301 || status > 308 {
			t.Skip("no such answer")
		}
		w := newWorld(t, retries(0), redirect(status, location))
		r := ask("http://api.test/x?key=hush-hush")
		r.Header.Set("X-Key", "hush-hush")
		_, _ = w.do(r, nil)
		for _, h := range w.hits {
			host := strings.ToLower(h.Host)
			same := host == "api.test" || host == "api.test:80" || host == "api.test:"
			if !same && (h.Header.Get("X-Key") != "" || h.Query.Get("key") == "hush-hush") {
				t.Errorf("%q leaks %+v", location, h)
			}
		}
	})
}

func TestALocationWithoutEndMakesAShortMessage(t *testing.T) {
	long := strings.Repeat("a", 100_000)
	again := func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, r.URL.Path+"/"+long[:10_000], http.StatusFound)
	}
	for name, c := range map[string]struct {
		address string
		serve   http.HandlerFunc
	}{
		"to another host":            {"http://api.test/x", first(redirect(302, "http://"+long+".test/"), answers(404))},
		"of no scheme that is known": {"http://api.test/x", redirect(302, long+":x")},
		"for a POST":                 {"http://api.test/x", redirect(307, "http://other.test/"+long)},
		"from https":                 {"https://api.test/x", redirect(302, "http://api.test/"+long)},
		"in vain":                    {"http://api.test/x", first(redirect(302, "/"+long), answers(404))},
		"again and again":            {"http://api.test/x/", again},
	} {
		t.Run(name, func(t *testing.T) {
			o := retries(0)
			o.TLS = certified(t)
			bubble(t, o, c.serve, func(w *world) {
				r := ask(c.address)
				if name == "for a POST" {
					r = post(request.Post, c.address)
				}
				_, err := w.do(r, nil)
				texts := []string{fmt.Sprint(err)}
				for _, e := range w.events {
					if warned, ok := e.(pipeline.Warned); ok {
						texts = append(texts, warned.Text)
					}
				}
				for _, text := range texts {
					if err == nil || len(text) > 1<<10 {
						t.Errorf("%d bytes: %.2000s", len(text), text)
					}
				}
			})
		})
	}
}
