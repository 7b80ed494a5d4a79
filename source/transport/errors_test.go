package transport_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"sluice/pipeline"
	"sluice/source/request"
	"sluice/source/transport"
)

// says answers 400 with a body.
func says(body string) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(rw, body)
	}
}

func TestAStatusErrorShowsTheBeginningOfTheBody(t *testing.T) {
	for _, c := range []struct {
		name, body, want string
	}{
		{"short", `{"error":"no"}`, `: {"error":"no"}`},
		{"empty", "", ""},
		{"several lines and colours", "a\r\n\tb\x1b[31m\u202ec\u2028d\n", ": a   b [31m c d"},
		{"no UTF-8", "a\xff\xfeb", ": a\uFFFDb"},
		{"500 bytes", strings.Repeat("a", 500), ": " + strings.Repeat("a", 500)},
		{"501 bytes", strings.Repeat("a", 501), ": " + strings.Repeat("a", 500) + "…"},
		{"a character across the end", strings.Repeat("a", 499) + "éé", ": " + strings.Repeat("a", 499) + "…"},
		{"a secret", "key hush-hush is wrong", ": key [secret] is wrong"},
		{"a secret across the end", strings.Repeat("a", 496) + "hush-hush", ": " + strings.Repeat("a", 496) + "[sec…"},
		{"very long", strings.Repeat("b", 1<<20), ": " + strings.Repeat("b", 500) + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, retries(0), says(c.body), func(w *world) {
				w.secrets.Add("hush-hush")
				_, err := w.do(ask("http://api.test/x?limit=2"), nil)
				if want := "GET http://api.test/x?limit=2: 400 Bad Request" + c.want; err == nil || err.Error() != want {
					t.Errorf("got  %v\nwant %s", err, want)
				}
				if pipeline.IsTemporary(err) {
					t.Error("it is temporary")
				}
			})
		})
	}
}

// The greeting of SSH or mail is there before the request: net/http then has no error to quote.
func TestAGreetingThatIsReadBeforeTheRequestIsSentIsNotHTTP(t *testing.T) {
	o := retries(0)
	o.Dial = func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			_, _ = io.WriteString(theirs, "220 mail.test ESMTP\r\n")
			_ = theirs.Close()
		}()
		return ours, nil
	}
	bubble(t, o, answers(200), func(w *world) {
		isRead := httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { synctest.Wait() }}
		ctx := httptrace.WithClientTrace(w.t.Context(), &isRead)
		_, err := w.call(ctx, pipeline.Call{Job: "users", Page: 7}, ask("http://api.test/x"), nil)
		says := "GET http://api.test/x: what answers at api.test does not speak HTTP: check host and port of the address after 1 attempt"
		if err == nil || err.Error() != says || !pipeline.IsTemporary(err) {
			t.Error(err)
		}
	})
}

func TestASecretThatTheBoundOfReadingCutsIsNotShown(t *testing.T) {
	secret := strings.Repeat("0123456789", 300)
	body := strings.Repeat(secret, 40) // beyond what is read, and next to nothing once it is redacted
	bubble(t, retries(0), says(body), func(w *world) {
		w.secrets.Add(secret)
		_, err := w.do(ask("http://api.test/x"), nil)
		if contains(t, err, "400 Bad Request"); strings.Contains(err.Error(), "0123") {
			t.Errorf("shown: %v", err)
		}
	})
}

func TestACompressedErrorIsShownInPlainText(t *testing.T) {
	body := gzipped(t, `{"error":"no"}`)
	bubble(t, retries(0), func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Encoding", "gzip")
		rw.WriteHeader(http.StatusNotFound)
		_, _ = rw.Write(body)
	}, func(w *world) {
		_, err := w.do(ask("http://api.test/x"), nil)
		contains(t, err, `404 Not Found: {"error":"no"}`)
	})
}

func TestAnErrorThatDoesNotEndIsShownAllTheSame(t *testing.T) {
	bubble(t, retries(0), func(rw http.ResponseWriter, r *http.Request) {
		rw.WriteHeader(http.StatusNotFound)
		for r.Context().Err() == nil {
			_, _ = io.WriteString(rw, strings.Repeat("drip ", 1000))
			_ = http.NewResponseController(rw).Flush()
			time.Sleep(time.Second)
		}
	}, func(w *world) {
		_, err := w.do(ask("http://api.test/x"), nil)
		contains(t, err, "404 Not Found: drip drip")
		if took := time.Since(w.began); took > 10*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestAnErrorThatWasCutMayEndWithinASecret(t *testing.T) {
	bubble(t, retries(0), func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Length", "100")
		rw.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(rw, "key hush-hu")
		_ = http.NewResponseController(rw).Flush()
		panic(http.ErrAbortHandler)
	}, func(w *world) {
		w.secrets.Add("hush-hush")
		_, err := w.do(ask("http://api.test/x"), nil)
		contains(t, err, "404 Not Found: (the 11 bytes that came of the body are not shown")
	})
}

func TestTheAnswerToALoginIsNeverShown(t *testing.T) {
	for _, status := range []int{400, 401, 503} {
		bubble(t, retries(0), func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			rw.WriteHeader(status)
			_, _ = io.WriteString(rw, `{"token":"fresh-token"}`)
		}, func(w *world) {
			_, err := w.call(w.t.Context(), pipeline.Call{Job: "users"}, post(request.Post, "http://api.test/login"), nil)
			contains(t, err, "POST http://api.test/login: ", ": application/json, 23 bytes (the answer to a login is not shown; its members are token; sluice plan prints the request)")
			if strings.Contains(err.Error(), "fresh") {
				t.Errorf("shown: %v", err)
			}
		})
	}
}

func TestNoSecretIsInAnyTextWhateverGoesWrong(t *testing.T) {
	const secret = "hush hush&?=/ü"
	for name, serve := range map[string]http.HandlerFunc{
		"a status": func(rw http.ResponseWriter, r *http.Request) {
			rw.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(rw, r.URL.String())
		},
		"a redirect": func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, "/y?"+r.URL.RawQuery, http.StatusFound)
		},
		"a crossing": func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, "http://"+r.Host+"1/"+strings.ToLower(url.PathEscape(secret))+"?a="+strings.ToLower(url.QueryEscape(secret)), http.StatusFound)
		},
		"a cut": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"an encoding": func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Encoding", "hush hush&?=/")
			_, _ = io.WriteString(rw, "x")
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, retries(1), serve, func(w *world) {
				w.secrets.Add(secret, "hush hush&?=/")
				r := ask("http://api.test/x")
				r.Header.Set("X-Key", secret)
				r.Params = request.Params{{Name: "key", Value: []byte(`"` + secret + `"`)}, {Name: "pin", Value: []byte("7"), Secret: true}}
				_, err := w.do(r, nil)
				if err == nil {
					t.Fatal("no error")
				}
				texts := []string{err.Error()}
				for _, e := range events[pipeline.RequestSent](w) {
					texts = append(texts, e.URL)
				}
				for _, e := range events[pipeline.ResponseDone](w) {
					if e.Err != nil {
						texts = append(texts, e.Err.Error())
					}
				}
				for _, e := range events[pipeline.Retrying](w) {
					texts = append(texts, e.Reason)
				}
				for _, e := range events[pipeline.Warned](w) {
					texts = append(texts, e.Text)
				}
				for _, text := range texts {
					if strings.Contains(strings.ToLower(text), "hush") || strings.Contains(text, "pin=7") && name != "a status" || !utf8.ValidString(text) {
						t.Errorf("shown: %s", text)
					}
				}
			})
		})
	}
}

func TestAStatusAboutTheRequestIsToldFromOneAboutWhoAsks(t *testing.T) {
	refused := map[int]bool{400: true, 402: true, 404: true, 410: true, 416: true, 418: true, 422: true, 451: true}
	noPage := []int{400, 404, 410, 416, 422}
	for _, status := range []int{400, 401, 402, 403, 404, 407, 408, 410, 416, 418, 420, 422, 429, 451, 500, 503} {
		bubble(t, retries(0), answers(status), func(w *world) {
			_, err := w.do(ask("http://api.test/x"), nil)
			if got := errors.Is(err, transport.ErrRefused); err == nil || got != refused[status] {
				t.Errorf("%d: refused is %t", status, got)
			}
			if got := errors.Is(err, transport.ErrNoPage); got != slices.Contains(noPage, status) {
				t.Errorf("%d: no page is %t", status, got)
			}
		})
	}
}
