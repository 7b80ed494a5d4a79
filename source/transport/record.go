package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/request"
)

// A recording is a folder with a file for each exchange, numbered as they began:
//
//	> POST https://api.example.com/v1/search?token=[secret]
//	> Content-Type: application/json
//	> X-Api-Key: [secret]
//	>
//	> {"user":"[secret]","limit":20}
//	< 200 OK
//	< Content-Type: application/json
//	= whole
//
//	{"items":[…
//
// Behind the empty line stands the body, decoded, and a line break. "= short"
// says that it was not read to its end; where no answer came, a line with ! says
// why, !! if another attempt would have been in vain. Of the answer's headers
// only those are there that this program heeds. Secrets are replaced; of a
// login's answer every value is, but for the time when the session ends.
const (
	recordingFile = "recording.json"
	exchangeExt   = ".http"

	whole, short = "= whole\n", "= short\n" // of one length

	// maxLoginRecord bounds what of a login's answer is held to be cleaned.
	maxLoginRecord = 16 << 20
)

// A Recording is what holds for all exchanges of a recording.
type Recording struct {
	Version       string    `json:"version"`
	StartedAt     time.Time `json:"startedAt"`
	PreviousStart int64     `json:"previousStart,omitempty"` // Unix seconds
}

// A Recorder writes exchanges down (--record). It is safe for concurrent use.
type Recorder struct {
	dir     string
	head    Recording
	secrets *secret.Set

	mu      sync.Mutex
	n       int
	err     error // the first
	changed bool  // an answer that is data was not recorded as it was
}

// NewRecorder makes a recorder for the folder dir. It does no I/O.
func NewRecorder(dir string, head Recording, s *secret.Set) *Recorder {
	return &Recorder{dir: dir, head: head, secrets: s}
}

// Start makes the folder, if it is missing. It must be called before the first
// exchange. A folder that has exchanges is refused: two recordings would mix. One of
// a run that asked nothing is taken.
func (r *Recorder) Start() error {
	if r == nil {
		return nil
	}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r.head, "", "  ")
	if err != nil {
		return err
	}
	files, err := exchangeFiles(r.dir)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		return fmt.Errorf("%s has a recording already: name another folder, or remove it", r.dir)
	}
	return os.WriteFile(filepath.Join(r.dir, recordingFile), append(text, '\n'), 0o600)
}

// Err returns the first error of writing, nil if the recording has everything.
func (r *Recorder) Err() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Recorder) failed(err error) {
	if err == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = fmt.Errorf("the recording: %w", err)
	}
}

// A tape records one exchange. A nil tape records nothing.
type tape struct {
	r        *Recorder
	x        *exchange
	number   int
	request  *request.Request
	head     string         // what the file says of it
	location string         // where the answer redirects to, secrets replaced
	file     *os.File       // nil before the first byte of the body
	state    int64          // where in file it says whether the body is whole
	login    *bytes.Buffer  // a login's answer, held to be cleaned
	clean    *secret.Writer // of any other; writes to mend
	mend     *jsonMender
	ended    bool // the body was read to its end
}

// begin records that h is sent, which r, signed, has become.
func (r *Recorder) begin(x *exchange, q *request.Request, h *http.Request) *tape {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	r.n++
	t := &tape{r: r, x: x, number: r.n, request: q}
	r.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "> %s %s\n", x.call.Method, x.call.URL)
	for _, name := range slices.Sorted(maps.Keys(h.Header)) {
		for _, value := range h.Header[name] {
			fmt.Fprintf(&b, "> %s: %s\n", name, t.value(name, value))
		}
	}
	if body := sentBody(q, h, r.secrets); body != "" {
		fmt.Fprintf(&b, ">\n> %s\n", body)
	}
	t.head = b.String()
	return t
}

// value is that of a header for people. A short one may be a secret that is not
// looked for.
func (t *tape) value(name, value string) string {
	const shortest = 4
	switch {
	case secret.HarmlessHeader(name):
		return t.r.secrets.Redact(value)
	case t.x.call.Login(), secret.Name(name), len(value) < shortest:
		return secret.Hidden
	}
	return t.r.secrets.Redact(value)
}

// name of the file.
func (t *tape) name() string {
	call := t.x.call
	name := fmt.Sprintf("%06d-login", t.number)
	if !call.Login() {
		name = fmt.Sprintf("%06d-%s-%d", t.number, pipeline.FileName(call.Job), call.Page)
	}
	if call.Attempt > 1 {
		name += fmt.Sprintf("-attempt-%d", call.Attempt)
	}
	return filepath.Join(t.r.dir, name+exchangeExt)
}

// open writes the head of the file.
func (t *tape) open(lines string) {
	var err error
	if t.file, err = os.OpenFile(t.name(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_, err = io.WriteString(t.file, t.head+lines)
	}
	t.r.failed(err)
}

// answered begins the record of the answer.
func (t *tape) answered() {
	var b strings.Builder
	a := t.x.answer
	fmt.Fprintf(&b, "< %s\n", statusText(a.StatusCode))
	names := []string{"Content-Type", "Retry-After"}
	if own := http.CanonicalHeaderKey(t.x.c.Retry.Header); own != "" && own != names[1] {
		names = append(names, own)
	}
	for _, name := range names {
		if value := a.Header.Get(name); value != "" {
			fmt.Fprintf(&b, "< %s: %s\n", name, oneLine(t.r.secrets.Redact(value)))
		}
	}
	if t.location != "" {
		fmt.Fprintf(&b, "< Location: %s\n", t.location)
	}
	t.state = int64(len(t.head) + b.Len())
	t.open(b.String() + short + "\n")
	t.mend = &jsonMender{w: t}
	t.clean = secret.NewWriter(t.mend, t.r.secrets)
	if t.x.call.Login() {
		t.login = &bytes.Buffer{}
	}
}

// Write takes what has been cleaned.
func (t *tape) Write(p []byte) (int, error) {
	if t.file == nil {
		return len(p), nil // it could not be made, and that was told
	}
	return t.file.Write(p)
}

// read records a part of the body, and what came with it.
func (t *tape) read(p []byte, err error) {
	if t == nil || t.ended {
		return
	}
	if t.clean == nil {
		t.answered()
	}
	if t.login == nil {
		_, failed := t.clean.Write(p)
		t.r.failed(failed)
	} else if t.login.Len() <= maxLoginRecord {
		t.login.Write(p)
	}
	t.ended = err == io.EOF //nolint:errorlint // a wrapped io.EOF is no proper end
}

// redirected records where the answer leads to.
func (t *tape) redirected(to string) {
	if t != nil {
		t.location = to
	}
}

// close ends the record. What was given up because the run had no need for it
// any more is not recorded.
func (t *tape) close() {
	switch {
	case t == nil:
		return
	case t.x.answer != nil && t.clean == nil:
		t.answered()
	case t.x.answer == nil && t.x.unwanted():
		return
	case t.x.answer == nil:
		t.r.failed(t.failure())
		return
	}
	if t.file == nil {
		return
	}
	var err error
	if t.login != nil {
		_, err = t.file.Write(cleanLogin(t.login.Bytes(), t.request.Public))
	} else {
		err = errors.Join(t.clean.Close(), t.mend.Close())
		t.changed()
	}
	if err == nil {
		_, err = io.WriteString(t.file, "\n")
	}
	if err == nil && t.ended {
		_, err = t.file.WriteAt([]byte(whole), t.state)
	}
	t.r.failed(errors.Join(err, t.file.Close()))
	if !t.ended && t.x.unwanted() {
		t.r.failed(os.Remove(t.name()))
	}
}

// changed warns, once, if there was a secret in the data.
func (t *tape) changed() {
	t.r.mu.Lock()
	first := t.clean.Found && !t.r.changed
	t.r.changed = t.r.changed || first
	t.r.mu.Unlock()
	if first {
		t.x.c.observe(pipeline.Warned{Job: t.x.call.Job, At: time.Now(),
			Text: "the answer to " + t.x.where() + " has a secret in it, which the recording has not: where it is data, a replay gives " + secret.Hidden})
	}
}

// failure records that no answer came.
func (t *tape) failure() error {
	mark, why := "!", ""
	if t.x.final {
		mark = "!!"
	}
	if f, ok := errors.AsType[*failure](t.x.err); ok {
		why = f.what
	}
	t.open(mark + " " + oneLine(why) + "\n")
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
