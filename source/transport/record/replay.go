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
	"slices"
	"strconv"
	"strings"
	"sync"

	"sluice/pipeline"
	"sluice/pipeline/secret"
)

// A Replay answers requests from a recording (--replay): those with the same method, address and body get what the same
// request got then, in that order, those for the same page first, since a page may be asked for anew with the same
// request; a login gives its last answer again. It is safe for concurrent use.
type Replay struct {
	Head

	dir     string
	secrets *secret.Set

	mu sync.Mutex

	// Files by request, in order.
	unused map[string][]string
}

// OpenReplay reads the heads of a recording. Bodies are read when they are asked for.
func OpenReplay(dir string, s *secret.Set) (*Replay, error) {
	p := &Replay{dir: dir, secrets: s, unused: map[string][]string{}}
	text, err := os.ReadFile(filepath.Join(dir, headFile))
	if err != nil {
		return nil, fmt.Errorf("no recording: %w", err)
	}
	if err := json.Unmarshal(text, &p.Head); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, headFile), err)
	}
	for _, name := range exchangeFiles(dir) {
		file := filepath.Join(dir, name)
		key, answer, err := openExchange(file)
		if answer != nil {
			err = answer.Body.Close()
		}
		if _, recorded := errors.AsType[*Error](err); err != nil && !recorded {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		p.unused[key] = append(p.unused[key], file)
	}
	return p, nil
}

// Wrap returns a round tripper that answers one request from the recording. It leaves the network alone.
func (p *Replay) Wrap(_ http.RoundTripper, e *ExchangeDetails) http.RoundTripper {
	return replayed{p, e}
}

// replayed is an [http.RoundTripper] for one exchange.
type replayed struct {
	*Replay
	e *ExchangeDetails
}

// RoundTrip implements [http.RoundTripper].
func (p replayed) RoundTrip(h *http.Request) (*http.Response, error) {
	key := requestKey(p.e.Method+" "+p.e.URL, p.e.body(h, p.secrets))
	file := p.take(key, p.e.Call)
	if file == "" {
		const text = "the recording in %s does not have this request, or no further answer to it: " +
			"it is of another configuration, of other flags, or of a run that ended before"
		return nil, &Error{Text: fmt.Sprintf(text, p.dir), Lasting: true}
	}
	_, answer, err := openExchange(file)
	if recorded, ok := errors.AsType[*Error](err); ok {
		return nil, recorded
	}
	if err != nil {
		return nil, &Error{Text: err.Error(), Lasting: true, Err: err}
	}
	answer.Request = h
	return answer, nil
}

// take returns the file of the next answer to a request, nothing if there is none.
func (p *Replay) take(key string, call pipeline.Call) (next string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.unused[key]
	if len(all) == 0 {
		return ""
	}
	isSame := func(file string) bool { return isFor(file, call) }
	at := slices.IndexFunc(all, isSame)
	// What differs in its headers alone has no other page's answer.
	if at < 0 && call.Walk != "" {
		return ""
	}
	at = max(0, at)
	next = all[at]
	if len(all) > 1 || !call.Login() {
		p.unused[key] = slices.Delete(all, at, at+1)
	}
	return next
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
		err = &Error{
			Text: fmt.Sprintf("the body was cut short at %d bytes: %v", b.Size(), io.ErrUnexpectedEOF),
			Err:  io.ErrUnexpectedEOF,
		}
	}
	return n, err
}

// openExchange reads the head of a file; the body is to be closed. What stands in place of an answer is an [*Error].
func openExchange(file string) (key string, answer *http.Response, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", nil, err
	}
	key, answer, err = readExchange(f)
	if err != nil {
		return key, nil, errors.Join(err, f.Close())
	}
	return key, answer, nil
}

// readExchange reads the head of f, line by line; the body is the rest.
func readExchange(f *os.File) (key string, answer *http.Response, err error) {
	head := recordedHead{answer: &http.Response{Header: http.Header{}, ContentLength: -1}}
	in := bufio.NewReader(f)
	at := int64(0)
	for number := 1; ; number++ {
		line, err := in.ReadString('\n')
		at += int64(len(line))
		if err != nil {
			return "", nil, notRecorded(number)
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" && strings.HasPrefix(head.last, "=") {
			end, err := f.Seek(0, io.SeekEnd)
			head.answer.Body = &recordedBody{io.NewSectionReader(f, at, end-at-1), f, head.whole}
			return head.key(), head.answer, err
		}
		err = head.read(number, line)
		if _, recorded := errors.AsType[*Error](err); recorded {
			return head.key(), nil, err
		}
		if err != nil {
			return "", nil, err
		}
		head.last = line
	}
}

// A recordedHead is what a file says before the body, as far as it was read.
type recordedHead struct {
	request, body string
	answer        *http.Response

	// The body is whole.
	whole bool

	// The line before.
	last string
}

func (e *recordedHead) key() string { return requestKey(e.request, e.body) }

// read takes a line in. What stands in place of an answer is an [*Error].
func (e *recordedHead) read(number int, line string) error {
	sign, text, _ := strings.Cut(line, " ")
	answered := e.answer.StatusCode != 0
	switch {
	case number == 1 && sign == ">":
		e.request = text
	case number == 1:
		return notRecorded(number)
	case sign == ">" && e.last == ">":
		e.body = text
	// A header of the request.
	case sign == ">":
	case sign == "!", sign == "!!", sign == "!?":
		return &Error{Text: text, Lasting: sign == "!!", Unheard: sign == "!?"}
	case sign == "<" && answered:
		name, value, _ := strings.Cut(text, ": ")
		e.answer.Header.Add(name, value)
	case sign == "<":
		text, _, _ = strings.Cut(text, " ")
		status, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("line %d: %q is no status", number, text)
		}
		e.answer.StatusCode = status
	case sign == "=" && answered:
		e.whole = text == "whole"
	default:
		return notRecorded(number)
	}
	return nil
}

// notRecorded is the error of a line that no recording has.
func notRecorded(number int) error { return fmt.Errorf("line %d is not one of a recording", number) }

// requestKey is the same for requests that differ in secrets only.
func requestKey(request, body string) string { return request + "\n" + body }
