package transport_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"sluice/pipeline"
	"sluice/source/transport"
)

// text is a body that compresses, but not to nothing.
var text = "[" + strings.Repeat(`{"id":1,"name":"a name"},`, 40) + `{"id":2}]`

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstded(t *testing.T, text string, o ...zstd.EOption) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil, o...)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll([]byte(text), nil)
}

// encoded answers with a body in an encoding.
func encoded(coding string, body []byte) http.HandlerFunc {
	return func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Encoding", coding)
		_, _ = rw.Write(body)
	}
}

// stalled begins a body and then waits until the client has gone.
func stalled(rw http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(rw, "[1,")
	_ = http.NewResponseController(rw).Flush()
	<-r.Context().Done()
}

// first lets one handler answer the first request, and another the rest.
func first(one, rest http.HandlerFunc) http.HandlerFunc {
	calls := 0
	return func(rw http.ResponseWriter, r *http.Request) {
		if calls++; calls == 1 {
			one(rw, r)
			return
		}
		rest(rw, r)
	}
}

func TestGzipWithinAnEncodingIsUnpackedToo(t *testing.T) {
	inner := string(gzipped(t, text))
	for name, body := range map[string]http.HandlerFunc{
		"gzip":        encoded("gzip", gzipped(t, inner)),
		"zstd":        encoded("zstd", zstded(t, inner)),
		"no encoding": encoded("", gzipped(t, inner)),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, retries(0), body, func(w *world) {
				for range 2 { // a decoder from the pool is as good as a new one
					if got, err := w.do(ask("http://api.test/x"), nil); got != text || err != nil {
						t.Fatalf("%q, %v", got, err)
					}
				}
			})
		})
	}
	bubble(t, retries(0), encoded("gzip", gzipped(t, inner[:len(inner)-9])), func(w *world) {
		_, err := w.do(ask("http://api.test/x"), nil)
		if err == nil || !strings.Contains(err.Error(), "the gzip body was cut short") {
			t.Errorf("gzip that was cut before it was packed again: %v", err)
		}
	})
}

func TestBodiesAreDecoded(t *testing.T) {
	for coding, body := range map[string][]byte{
		"": []byte(text), "identity": []byte(text), "gzip": gzipped(t, text), "x-gzip": gzipped(t, text), "GZIP": gzipped(t, text), "zstd": zstded(t, text),
	} {
		t.Run(coding, func(t *testing.T) {
			bubble(t, retries(0), encoded(coding, body), func(w *world) {
				for range 2 { // a decoder from the pool is as good as a new one
					if got, err := w.do(ask("http://api.test/x"), nil); got != text || err != nil {
						t.Fatalf("%q, %v", got, err)
					}
				}
				if done := events[pipeline.ResponseDone](w); done[0].Bytes != int64(len(text)) || done[0].Err != nil || w.dials != 1 {
					t.Errorf("%+v, %d connections", done[0], w.dials)
				}
			})
		})
	}
}

func TestGzipMayEndWithZeros(t *testing.T) {
	whole := gzipped(t, text)
	zeros := make([]byte, 70_000)
	for name, tt := range map[string]struct {
		body []byte
		want string
		err  string
	}{
		"a zero":               {slices.Concat(whole, zeros[:1]), text, ""},
		"more than a buffer":   {slices.Concat(whole, zeros), text, ""},
		"after two members":    {slices.Concat(whole, whole, zeros[:512]), text + text, ""},
		"zeros, then a member": {slices.Concat(whole, zeros[:512], whole), text, "corrupt"},
		"zeros, then a text":   {slices.Concat(whole, zeros[:512], []byte("x")), text, "corrupt"},
		"a text":               {slices.Concat(whole, []byte("more and more")), text, "corrupt"},
		"begun":                {slices.Concat(whole, whole[:5]), text, "cut short"},
	} {
		packed := gzipped(t, string(tt.body))
		for within, body := range map[string]http.HandlerFunc{
			"gzip": encoded("gzip", tt.body), "gzip within gzip": encoded("gzip", packed), "no encoding": encoded("", tt.body),
		} {
			t.Run(name+"/"+within, func(t *testing.T) {
				bubble(t, retries(0), body, func(w *world) {
					got, err := w.do(ask("http://api.test/x"), nil)
					isRight := err == nil && tt.err == "" || err != nil && tt.err != "" && strings.Contains(err.Error(), tt.err)
					if !isRight || tt.err == "" && got != tt.want {
						t.Errorf("%d bytes, %v", len(got), err)
					}
				})
			})
		}
	}
}

func TestADecoderIsGoodAfterAnyBody(t *testing.T) {
	good, long := zstded(t, text), strings.Repeat(text, 2000)
	for name, before := range map[string]http.HandlerFunc{
		"that is cut":  encoded("zstd", good[:len(good)-9]),
		"that is none": encoded("zstd", []byte("[1,2,3,4,5]")),
		"that is long": encoded("zstd", zstded(t, long)),
		"that is gzip": encoded("gzip", gzipped(t, text)),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, retries(0), first(before, encoded("zstd", good)), func(w *world) {
				for i := range 4 {
					got, err := w.do(ask("http://api.test/x"), nil)
					if i > 0 && (got != text || err != nil) {
						t.Errorf("body %d: %q, %v", i, got, err)
					}
				}
			})
		})
	}
}

func TestABodyThatIsEncodedIsNotEmptyUnlessItsStatusMeansThat(t *testing.T) {
	for _, coding := range []string{"gzip", "zstd", "br"} {
		for _, status := range []int{200, 203, 206, 201, 202, 204, 205} {
			bubble(t, retries(2), func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Encoding", coding)
				rw.WriteHeader(status)
			}, func(w *world) {
				got, err := w.do(ask("http://api.test/x"), nil)
				if status > 200 && status != 203 && status != 206 {
					if got != "" || err != nil {
						t.Errorf("%d, %s: %q, %v", status, coding, got, err)
					}
					return
				}
				contains(t, err, "the "+coding+" body was cut short at 0 bytes: it has no proper end after 3 attempts")
				if !pipeline.IsTemporary(err) || len(w.hits) != 3 {
					t.Errorf("%d, %s: %v, %d requests", status, coding, err, len(w.hits))
				}
			})
		}
	}
	bubble(t, retries(0), encoded("", nil), func(w *world) {
		if got, err := w.do(ask("http://api.test/x"), nil); got != "" || err != nil {
			t.Errorf("no encoding: %q, %v", got, err)
		}
	})
}

func TestAnEncodingThatIsNotKnownIsFinal(t *testing.T) {
	for _, coding := range []string{"br", "gzip, gzip"} {
		bubble(t, retries(3), encoded(coding, []byte("?")), func(w *world) {
			_, err := w.do(ask("http://api.test/x"), nil)
			contains(t, err, "GET http://api.test/x: ", strconv.Quote(coding), "Accept-Encoding")
			if pipeline.IsTemporary(err) || len(w.hits) != 1 {
				t.Errorf("%d requests", len(w.hits))
			}
		})
	}
}

func TestABodyThatNeedsTooMuchMemoryIsFinal(t *testing.T) {
	header := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x90, 0x01, 0x00, 0x00} // a frame with a window of 256 MiB
	bubble(t, retries(3), encoded("zstd", header), func(w *world) {
		_, err := w.do(ask("http://api.test/x"), nil)
		contains(t, err, "needs more than 64 MiB")
		if len(w.hits) != 1 {
			t.Errorf("%d requests", len(w.hits))
		}
	})
}

func TestABodyCutAnywhereIsNeverTakenForAWholeOne(t *testing.T) {
	for coding, whole := range map[string][]byte{"gzip": gzipped(t, text), "zstd": zstded(t, text)} {
		t.Run(coding, func(t *testing.T) {
			for n := 1; n < len(whole); n++ {
				bubble(t, retries(0), encoded(coding, whole[:n]), func(w *world) {
					_, err := w.do(ask("http://api.test/x"), nil)
					contains(t, err, "the "+coding+" body was cut short")
					if !pipeline.IsTemporary(err) {
						t.Errorf("cut after %d of %d bytes: %v", n, len(whole), err)
					}
				})
			}
		})
	}
}

func TestABodyThatIsNoGzipIsNotFetchedAgain(t *testing.T) {
	bubble(t, retries(1), encoded("gzip", []byte("[1,2,3]")), func(w *world) {
		_, err := w.do(ask("http://api.test/x"), nil)
		want := "the answer says Content-Encoding: gzip and is not gzip"
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if len(w.hits) != 1 || pipeline.IsTemporary(err) {
			t.Errorf("%d requests, temporary: %t", len(w.hits), pipeline.IsTemporary(err))
		}
	})
}

func TestABodyThatFailsIsFetchedAgain(t *testing.T) {
	corrupt := gzipped(t, text)
	corrupt[len(corrupt)-6] ^= 1 // the checksum
	for name, broken := range map[string]http.HandlerFunc{
		"shorter than announced": func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(rw, "[1,")
			_ = http.NewResponseController(rw).Flush()
			panic(http.ErrAbortHandler)
		},
		"chunked without an end": func(rw http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(rw, "[1,")
			_ = http.NewResponseController(rw).Flush()
			panic(http.ErrAbortHandler)
		},
		"gzip with a wrong checksum": encoded("gzip", corrupt),
		"zstd that is none":          encoded("zstd", []byte("[1,2,3,4,5,6,7,8,9]")),
		"gzip and the answer cut": func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Encoding", "gzip")
			rw.Header().Set("Content-Length", strconv.Itoa(len(corrupt)))
			_, _ = rw.Write(corrupt[:20])
			_ = http.NewResponseController(rw).Flush()
			panic(http.ErrAbortHandler)
		},
		"stalled": stalled,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, retries(1), first(broken, answers(200)), func(w *world) {
				if got, err := w.do(ask("http://api.test/x"), nil); got != "[1]" || err != nil || len(w.hits) != 2 {
					t.Errorf("%q, %v, %d requests", got, err, len(w.hits))
				}
				if done := events[pipeline.ResponseDone](w); len(done) != 2 || done[0].Err == nil || done[0].Status != 200 || done[1].Err != nil {
					t.Errorf("events %+v", done)
				}
			})
		})
	}
}

func TestABodyThatFailedIsRetriedWhateverItsReaderSays(t *testing.T) {
	cut := first(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Length", "100")
		_ = http.NewResponseController(rw).Flush()
		panic(http.ErrAbortHandler)
	}, answers(200))
	for _, said := range []error{nil, errors.New("this is not JSON")} {
		bubble(t, retries(1), cut, func(w *world) {
			reads := 0
			err := w.client.Do(w.t.Context(), pipeline.Call{Page: 1}, ask("http://api.test/x"), nil, func(r *transport.Response) error {
				reads++
				if _, err := io.ReadAll(r.Body); err != nil {
					return said
				}
				return nil
			})
			if err != nil || reads != len(w.hits) {
				t.Errorf("%v after %d reads", err, reads)
			}
		})
	}
}

func TestAnErrorOfTheReaderIsFinalAndSaysWhere(t *testing.T) {
	bubble(t, retries(3), answers(200), func(w *world) {
		w.secrets.Add("hush-hush")
		odd := errors.New("this is not JSON: hush-hush")
		err := w.client.Do(w.t.Context(), pipeline.Call{Page: 1}, ask("http://api.test/x"), nil, func(*transport.Response) error { return odd })
		if !errors.Is(err, odd) || pipeline.IsTemporary(err) || len(w.hits) != 1 {
			t.Errorf("%v, %d requests", err, len(w.hits))
		}
		if want := "GET http://api.test/x: 200 OK: this is not JSON: [secret]"; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	})
}

func TestAnAttemptEndsWithoutAByteForTooLong(t *testing.T) {
	o := retries(0)
	o.IdleTimeout = 20 * time.Second
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		says  string
	}{
		"waiting for the header": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "no byte came within 20s after 1 attempt"},
		"within the body":        {stalled, "the body stalled at 3 bytes: no byte came within 20s after 1 attempt"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, o, c.serve, func(w *world) {
				_, err := w.do(ask("http://api.test/x"), nil)
				contains(t, err, c.says)
				if took := time.Since(w.began); took != 20*time.Second || !pipeline.IsTemporary(err) {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

func TestASlowBodyAndASlowReaderAreNoTimeOut(t *testing.T) {
	o := retries(0)
	o.IdleTimeout = 20 * time.Second
	bubble(t, o, func(rw http.ResponseWriter, _ *http.Request) {
		for range 10 {
			time.Sleep(19 * time.Second)
			_, _ = io.WriteString(rw, "1234")
			_ = http.NewResponseController(rw).Flush()
		}
	}, func(w *world) {
		err := w.client.Do(w.t.Context(), pipeline.Call{Page: 1}, ask("http://api.test/x"), nil, func(r *transport.Response) error {
			for n := 0; ; {
				got, err := r.Body.Read(make([]byte, 4))
				if n += got; err == io.EOF {
					if n != 40 {
						t.Errorf("%d bytes", n)
					}
					return nil
				} else if err != nil {
					return err
				}
				time.Sleep(time.Hour) // a slow sink
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestAConnectionIsUsedAgainAfterABoundedRest(t *testing.T) {
	for name, c := range map[string]struct {
		size, dials int
	}{"a little left": {50 << 10, 1}, "a lot left": {5 << 20, 3}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, retries(0), func(rw http.ResponseWriter, _ *http.Request) {
				_, _ = rw.Write(make([]byte, c.size))
			}, func(w *world) {
				for range 3 {
					err := w.client.Do(w.t.Context(), pipeline.Call{Page: 1}, ask("http://api.test/x"), nil, func(*transport.Response) error { return nil })
					if err != nil {
						t.Fatal(err)
					}
				}
				if w.dials != c.dials {
					t.Errorf("%d connections, want %d", w.dials, c.dials)
				}
			})
		})
	}
}
