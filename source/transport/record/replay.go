package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"sluice/pipeline/secret"
)

// A Replay answers requests from a recording (--replay): those with the same method, address and body get what the
// same request got then, in that order; a login gives its last answer again, since how many there are is a matter of
// time. It is safe for concurrent use.
type Replay struct {
	Head

	dir     string
	secrets *secret.Set

	mu     sync.Mutex
	unused map[string][]*recordedAnswer // by request, in order
}

// A recordedAnswer is one exchange of a recording.
type recordedAnswer struct {
	file   string
	status int
	header http.Header
	at     int64 // where the body begins
	whole  bool
	failed *Error // no answer came
}

// OpenReplay reads the heads of a recording. Bodies are read when they are asked for.
func OpenReplay(dir string, s *secret.Set) (*Replay, error) {
	p := &Replay{dir: dir, secrets: s, unused: map[string][]*recordedAnswer{}}
	text, err := os.ReadFile(filepath.Join(dir, headFile))
	if err != nil {
		return nil, fmt.Errorf("no recording: %w", err)
	}
	if err := json.Unmarshal(text, &p.Head); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, headFile), err)
	}
	if p.PreviousStarts == nil {
		p.PreviousStarts = map[string]int64{"": p.PreviousStart}
	}
	files, err := exchangeFiles(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		file := filepath.Join(dir, name)
		key, r, err := readExchange(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		p.unused[key] = append(p.unused[key], r)
	}
	return p, nil
}

// Wrap returns a round tripper that answers one request from the recording. It leaves the network alone.
func (p *Replay) Wrap(_ http.RoundTripper, e *Exchange) http.RoundTripper { return replayed{p, e} }

// replayed is an [http.RoundTripper] for one exchange.
type replayed struct {
	*Replay
	e *Exchange
}

// RoundTrip implements [http.RoundTripper].
func (p replayed) RoundTrip(h *http.Request) (*http.Response, error) {
	next := p.take(requestKey(p.e.Method, p.e.URL, p.e.body(h, p.secrets)), p.e.Login())
	if next == nil {
		return nil, &Error{Text: fmt.Sprintf("the recording in %s does not have this request, or no further answer to it: it is of another configuration, of other flags, or of a run that ended before", p.dir), Lasting: true}
	}
	if next.failed != nil {
		return nil, next.failed
	}
	body, err := next.open()
	if err != nil {
		return nil, &Error{Text: err.Error(), Lasting: true, Err: err}
	}
	return &http.Response{StatusCode: next.status, Header: next.header, ContentLength: -1, Request: h, Body: body}, nil
}

// take returns the next answer to a request, nil if there is none.
func (p *Replay) take(key string, login bool) (next *recordedAnswer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.unused[key]
	if len(all) > 0 {
		next = all[0]
	}
	if len(all) > 1 || !login {
		p.unused[key] = all[min(1, len(all)):]
	}
	return next
}

// open opens the body.
func (r *recordedAnswer) open() (*recordedBody, error) {
	f, err := os.Open(r.file)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &recordedBody{io.NewSectionReader(f, r.at, info.Size()-r.at-1), f, r.whole}, nil
}

// A recordedBody is what a file holds of a body. If that is not the whole body, its end is an error.
type recordedBody struct {
	*io.SectionReader
	io.Closer
	whole bool
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.SectionReader.Read(p)
	if errors.Is(err, io.EOF) && !b.whole {
		err = &Error{Text: fmt.Sprintf("the body was cut short at %d bytes: %v", b.Size(), io.ErrUnexpectedEOF), Err: io.ErrUnexpectedEOF}
	}
	return n, err
}

// readExchange reads the head of a file.
func readExchange(file string) (key string, r *recordedAnswer, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = f.Close() }()
	r = &recordedAnswer{file: file, header: http.Header{}}
	in, method, address, body := bufio.NewReader(f), "", "", ""
	for number, last := 1, ""; ; number++ {
		line, err := in.ReadString('\n')
		r.at += int64(len(line))
		line = strings.TrimSuffix(line, "\n")
		sign, text, _ := strings.Cut(line, " ")
		switch {
		case err != nil || number == 1 && sign != ">":
			return "", nil, fmt.Errorf("line %d is not one of a recording", number)
		case number == 1:
			method, address, _ = strings.Cut(text, " ")
		case sign == ">" && last == ">":
			body = text
		case sign == ">": // a header of the request
		case sign == "!", sign == "!!":
			r.failed = &Error{Text: text, Lasting: sign == "!!"}
			return requestKey(method, address, body), r, nil
		case sign == "<" && r.status == 0:
			text, _, _ = strings.Cut(text, " ")
			if r.status, err = strconv.Atoi(text); err != nil {
				return "", nil, fmt.Errorf("line %d: %q is no status", number, text)
			}
		case sign == "<":
			name, value, _ := strings.Cut(text, ": ")
			r.header.Add(name, value)
		case sign == "=" && r.status != 0:
			r.whole = text == "whole"
		case line == "" && strings.HasPrefix(last, "="):
			return requestKey(method, address, body), r, nil
		default:
			return "", nil, fmt.Errorf("line %d is not one of a recording", number)
		}
		last = line
	}
}

// requestKey is the same for requests that differ in secrets only.
func requestKey(method, address, body string) string {
	return method + " " + address + "\n" + body
}
