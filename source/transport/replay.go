package transport

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"sluice/pipeline/secret"
	"sluice/source/request"
)

// A Replay answers requests from a recording (--replay): those with the same
// method, address and body get what the same request got then, in that order; a
// login gives its last answer again, since how many there are is a matter of
// time. It is safe for concurrent use.
type Replay struct {
	Recording

	dir string
	mu  sync.Mutex
	all map[string][]*recorded // by request, in order; what was given is gone
	had map[string]bool        // requests that there were
}

// recorded is one exchange of a recording.
type recorded struct {
	file   string
	status int
	header http.Header
	at     int64 // where the body begins
	whole  bool
	failed *replayError // no answer came
}

// A replayError is a failure that was recorded, or a request that was not.
type replayError struct {
	text    string
	lasting bool
}

func (e *replayError) Error() string { return e.text }

// OpenReplay reads the heads of a recording. Bodies are read when they are asked
// for.
func OpenReplay(dir string) (*Replay, error) {
	p := &Replay{dir: dir, all: map[string][]*recorded{}, had: map[string]bool{}}
	text, err := os.ReadFile(filepath.Join(dir, recordingFile))
	if err != nil {
		return nil, fmt.Errorf("no recording: %w", err)
	}
	if err := json.Unmarshal(text, &p.Recording); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, recordingFile), err)
	}
	files, err := exchangeFiles(dir)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		key, r, err := readExchange(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		p.all[key] = append(p.all[key], r)
		p.had[key] = true
	}
	return p, nil
}

// exchangeFiles returns the exchanges of a recording, in order.
func exchangeFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == exchangeExt {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, nil
}

// answer is what the request got when it was recorded.
func (p *Replay) answer(x *exchange, r *request.Request, h *http.Request) (*http.Response, error) {
	key := requestKey(x.call.Method, x.call.URL, sentBody(r, h, x.c.Secrets))
	next, had := p.take(key, x.call.Login())
	switch {
	case next == nil && had:
		return nil, &replayError{fmt.Sprintf("the recording in %s has no further answer to this request", p.dir), true}
	case next == nil:
		return nil, &replayError{fmt.Sprintf("the recording in %s does not have this request: it is of another configuration, of other flags, or of a run that ended before", p.dir), true}
	case next.failed != nil:
		return nil, next.failed
	}
	body, err := next.open()
	if err != nil {
		return nil, &replayError{err.Error(), true}
	}
	return &http.Response{
		StatusCode: next.status, Header: next.header, ContentLength: -1, Request: h, Body: body,
	}, nil
}

// sentBody is the body of h, which r has become, without secrets.
func sentBody(r *request.Request, h *http.Request, s *secret.Set) string {
	if h.Body == nil || h.Body == http.NoBody {
		return ""
	}
	return unescapeHidden(r.RedactedBody(s))
}

func (p *Replay) take(key string, login bool) (next *recorded, had bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.all[key]
	if len(all) > 0 {
		next = all[0]
	}
	if len(all) > 1 || !login {
		p.all[key] = all[min(1, len(all)):]
	}
	return next, p.had[key]
}

// open opens the body.
func (r *recorded) open() (*recordedBody, error) {
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

// recordedBody is what a file holds of a body. If that is not the whole body, it
// ends as one does that was cut.
type recordedBody struct {
	*io.SectionReader
	io.Closer
	whole bool
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.SectionReader.Read(p)
	if errors.Is(err, io.EOF) && !b.whole {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// requestKey is the same for requests that are the same but for their secrets.
func requestKey(method, address, body string) string {
	return method + " " + unescapeHidden(address) + "\n" + body
}

// unescapeHidden finds the placeholder also where it came from a recording and was
// put into an address.
func unescapeHidden(text string) string {
	return strings.ReplaceAll(text, url.QueryEscape(secret.Hidden), secret.Hidden)
}

// readExchange reads the head of a file.
func readExchange(file string) (key string, r *recorded, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = f.Close() }()
	h := headReader{in: bufio.NewReader(f)}
	first := h.next("> ")
	body := ""
	for h.is(">") {
		if line := h.next(">"); line == "" {
			body = h.next("> ")
		}
	}
	method, address, _ := strings.Cut(first, " ")
	key = requestKey(method, address, body)
	r = &recorded{file: file, header: http.Header{}}
	if h.is("!") {
		line := h.next("!")
		why, lasting := strings.CutPrefix(line, "!")
		r.failed = &replayError{strings.TrimSpace(why), lasting}
		return key, r, h.err
	}
	status, _, _ := strings.Cut(h.next("< "), " ")
	if r.status, err = strconv.Atoi(status); err != nil && h.err == nil {
		h.err = fmt.Errorf("line %d: %q is no status", h.line, status)
	}
	for h.is("<") {
		name, value, _ := strings.Cut(h.next("< "), ": ")
		r.header.Add(name, value)
	}
	r.whole = h.next("= ") == "whole"
	h.next("")
	r.at = h.at
	return key, r, h.err
}

// A headReader reads lines, and remembers the first error.
type headReader struct {
	in   *bufio.Reader
	line int
	at   int64
	err  error
}

// is tells whether the next line begins so.
func (h *headReader) is(prefix string) bool {
	text, err := h.in.Peek(len(prefix))
	return h.err == nil && err == nil && string(text) == prefix
}

// next returns the next line without the prefix that it must have.
func (h *headReader) next(prefix string) string {
	if h.err != nil {
		return ""
	}
	h.line++
	line, err := h.in.ReadString('\n')
	h.at += int64(len(line))
	rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), prefix)
	if err != nil || !ok {
		h.err = fmt.Errorf("line %d is not one of a recording: it should begin with %q", h.line, prefix)
		return ""
	}
	return rest
}
