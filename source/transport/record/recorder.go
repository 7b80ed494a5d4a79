package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
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

// Of one length.
const whole, short = "= whole\n", "= short\n"

// A Recorder writes exchanges to a folder (--record). It is safe for concurrent use. A nil Recorder records nothing.
type Recorder struct {
	dir     string
	head    Head
	secrets *secret.Set

	mu sync.Mutex
	n  int

	// The first.
	err error

	// An answer lost a secret, and that was told.
	redacted bool
}

// NewRecorder makes a recorder for the folder dir. It does no I/O.
func NewRecorder(dir string, head Head, s *secret.Set) *Recorder {
	return &Recorder{dir: dir, head: head, secrets: s}
}

// ErrRecorded says that the folder of a recorder has a recording already. Two would mix.
var ErrRecorded = errors.New("has a recording already: name another folder, or remove it")

// Start makes the folder. The error is [ErrRecorded] for one that has exchanges.
func (r *Recorder) Start() error {
	if r == nil {
		return nil
	}
	_, missing := os.Stat(r.dir)
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	text, err := json.MarshalIndent(r.head, "", "  ")
	if err != nil {
		return err
	}
	if len(exchangeFiles(r.dir)) > 0 {
		return fmt.Errorf("%s %w", r.dir, ErrRecorded)
	}
	err = writeWhole(filepath.Join(r.dir, headFile), append(text, '\n'))
	if err != nil && missing != nil {
		// It is empty, or somebody else has begun to use it.
		_ = os.Remove(r.dir)
	}
	return err
}

// writeWhole writes a file. Where it cannot be whole, as on a full disk, there is none.
func writeWhole(name string, text []byte) error {
	err := os.WriteFile(name, text, 0o600)
	if err != nil {
		err = errors.Join(err, removeFile(name))
	}
	return err
}

// removeFile removes a file, if it is there.
func removeFile(name string) error {
	err := os.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
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

// Wrap returns a round tripper that records one request to next, unless the run gives it up.
func (r *Recorder) Wrap(next http.RoundTripper, e *ExchangeDetails) http.RoundTripper {
	return &recordedExchange{r: r, e: e, next: next}
}

// A recordedExchange records one exchange. It is the body of the answer, too.
type recordedExchange struct {
	r    *Recorder
	e    *ExchangeDetails
	next http.RoundTripper

	// Its name.
	file string

	request *http.Request

	// What the file says of the request.
	head string

	answer *http.Response

	// That came with the answer.
	body io.ReadCloser

	out *os.File

	// Where in out it says whether the body is whole.
	state int64

	// A login's answer, held to be cleaned.
	login bytes.Buffer

	// Of any other.
	clean *secret.Writer

	// One of the two; nil before the first byte.
	to io.Writer

	// The body was read to its end.
	ended bool

	// The file is not whole, and goes.
	failed bool
}

// RoundTrip implements [http.RoundTripper].
func (x *recordedExchange) RoundTrip(h *http.Request) (*http.Response, error) {
	x.request, x.file = h, x.r.next(x.e.Call)
	var b strings.Builder
	fmt.Fprintf(&b, "> %s %s\n", x.e.Method, x.e.URL)
	for _, name := range slices.Sorted(maps.Keys(h.Header)) {
		for _, value := range h.Header[name] {
			fmt.Fprintf(&b, "> %s: %s\n", name, x.value(name, value))
		}
	}
	if body := x.e.body(h, x.r.secrets); body != "" {
		fmt.Fprintf(&b, ">\n> %s\n", body)
	}
	x.head = b.String()

	answer, err := x.next.RoundTrip(h)
	if err != nil {
		if h.Context().Err() == nil {
			x.unanswered(err)
		}
		return nil, err
	}
	x.answer, x.body = answer, answer.Body
	answer.Body = x
	return answer, nil
}

// unanswered writes why there is no answer.
func (x *recordedExchange) unanswered(err error) {
	sign := "!"
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
	case e.Lasting:
		sign = "!!"
	case e.Unheard:
		sign = "!?"
	}
	x.r.failed(writeWhole(x.file, []byte(x.head+sign+" "+err.Error()+"\n")))
}

// placeOf is the part of a file's name that says what the exchange is for.
func placeOf(call pipeline.Call) string {
	if call.Login() {
		return "login"
	}
	job := pipeline.FileName(call.Job)
	if call.Walk != "" {
		job += "-" + walkName(call.Walk)
	}
	return fmt.Sprintf("%s-%d", job, call.Page)
}

// longestWalkName is what a name of a file has room for.
const longestWalkName = 64

// walkName is a place of a walk as part of a file's name.
func walkName(place string) string {
	name := pipeline.FileName(place)
	if len(name) <= longestWalkName {
		return name
	}
	h := fnv.New64a()
	// Writing to a hash cannot fail.
	_, _ = io.WriteString(h, place)
	return strconv.FormatUint(h.Sum64(), 16)
}

// isFor tells whether a file of this name is for the same page of a job as the call.
func isFor(file string, call pipeline.Call) bool {
	name := strings.TrimSuffix(filepath.Base(file), exchangeExt)
	_, place, _ := strings.Cut(name, "-")
	place, _, _ = strings.Cut(place, "-attempt-")
	return place == placeOf(call)
}

// next returns the name of the next file.
func (r *Recorder) next(call pipeline.Call) string {
	r.mu.Lock()
	r.n++
	name := fmt.Sprintf("%06d-%s", r.n, placeOf(call))
	r.mu.Unlock()
	if call.Attempt > 1 {
		name += fmt.Sprintf("-attempt-%d", call.Attempt)
	}
	return filepath.Join(r.dir, name+exchangeExt)
}

// value is that of a header of the request for people. A short one may be a secret that is not looked for.
func (x *recordedExchange) value(name, value string) string {
	const shortest = 4
	doubtful := x.e.Login() || secret.Name(name) || len(value) < shortest
	if doubtful && !secret.HarmlessHeader(name) {
		return secret.Hidden
	}
	return x.r.secrets.Redact(value)
}

// Read implements [io.Reader].
func (x *recordedExchange) Read(p []byte) (int, error) {
	n, err := x.body.Read(p)
	if !x.ended {
		x.open()
		_, failed := x.to.Write(p[:n])
		x.failed = x.failed || failed != nil
		x.r.failed(failed)
		x.ended = err == io.EOF
	}
	return n, err
}

// open makes the file, with all that stands before the body.
func (x *recordedExchange) open() {
	if x.to != nil {
		return
	}
	var b strings.Builder
	code := x.answer.StatusCode
	status := strings.TrimSpace(fmt.Sprint(code, " ", http.StatusText(code)))
	fmt.Fprintf(&b, "%s< %s\n", x.head, status)
	for _, name := range x.read() {
		for _, value := range x.answer.Header.Values(name) {
			fmt.Fprintf(&b, "< %s: %s\n", name, x.r.secrets.Redact(value))
		}
	}
	if x.e.Login() {
		x.writeHeaders(&b)
	}
	if x.e.Location != "" {
		fmt.Fprintf(&b, "< Location: %s\n", x.e.Location)
	}
	x.state = int64(b.Len())
	b.WriteString(short + "\n")
	out, err := os.OpenFile(x.file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	x.out = out
	if err == nil {
		_, err = io.WriteString(out, b.String())
	}
	// If the file could not be made, each later write to it fails, too, and is reported here.
	x.failed = err != nil
	x.r.failed(err)
	x.clean = secret.NewWriter(out, x.r.secrets)
	x.to = x.clean
	if x.e.Login() {
		x.to = &x.login
	}
}

// read lists the headers that are read, in an order of their own.
func (x *recordedExchange) read() []string {
	if x.e.Also == nil || x.e.Login() {
		return x.e.Headers
	}
	all := slices.Clone(x.e.Headers)
	for _, name := range slices.Sorted(maps.Keys(x.answer.Header)) {
		if !slices.Contains(x.e.Headers, name) && x.e.Also(name, x.answer.Header.Get(name)) {
			all = append(all, name)
		}
	}
	return all
}

// writeHeaders writes the headers in the answer to a login that are read.
func (x *recordedExchange) writeHeaders(b *strings.Builder) {
	for _, name := range slices.Sorted(maps.Keys(x.e.Request.AnswerHeaders)) {
		value := x.answer.Header.Get(name)
		if value == "" {
			continue
		}
		if !x.e.Request.AnswerHeaders[name] || !isPublic(value) {
			value = secret.Hidden
		}
		fmt.Fprintf(b, "< %s: %s\n", name, value)
	}
}

// Close implements [io.Closer]. It ends the record.
func (x *recordedExchange) Close() error {
	err := x.body.Close()
	x.open()
	failed := errors.Join(x.finish(), x.out.Close())
	x.r.failed(failed)
	isGivenUp := !x.ended && x.request.Context().Err() != nil
	if (isGivenUp || failed != nil || x.failed) && x.out != nil {
		x.r.failed(removeFile(x.file))
	}
	return err
}

// finish writes what was held of the body, and whether it is whole.
func (x *recordedExchange) finish() error {
	err := x.writeHeld()
	if err == nil {
		_, err = io.WriteString(x.out, "\n")
	}
	if err == nil && x.ended {
		_, err = x.out.WriteAt([]byte(whole), x.state)
	}
	return err
}

// writeHeld writes what was held of the body to find secrets in it, and notes the first warning of one.
func (x *recordedExchange) writeHeld() error {
	if x.e.Login() {
		_, err := x.out.Write(cleanLogin(x.login.Bytes(), x.e.Request.Public))
		return err
	}
	err := x.clean.Close(!x.ended)
	if err != nil || !x.clean.Found {
		return err
	}
	x.r.mu.Lock()
	defer x.r.mu.Unlock()
	if !x.r.redacted {
		x.r.redacted = true
		x.e.Warning = "the answer to " + x.e.Where() + " has a secret in it, which is not recorded: if it is " +
			"part of an item, a replay gives " + secret.Hidden
	}
	return nil
}
