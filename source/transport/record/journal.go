package record

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/s2"

	"sluice/pipeline"
)

const (
	magic       = "sluice journal 1\n" // before each segment
	segmentSize = 16 << 20             // at which one is cut
	lineSize    = 512                  // of an answer without its body, about
	largestBody = 64 << 20             // of an answer that is kept
	cached      = 2                    // segments in memory while they are read again
)

// A Storage is where a journal is; target.Store says what it does.
type Storage interface {
	Put(ctx context.Context, name string, text []byte) error
	Head(ctx context.Context, name string, n int64) ([]byte, error)
	List(ctx context.Context, prefix string) (map[string]time.Time, error)
	Remove(ctx context.Context, name string) error
	Close() error
}

// ErrContinued says that another process has this run: this one must change nothing that others see.
var ErrContinued = pipeline.Temporary(errors.New("another process continues this run, or has ended it"))

var errEnded = errors.New("the run has ended")

// A segment is a file that is written once and never changed: magic, this as a line of JSON, and the bodies of its
// answers. Without answers it says that a process begins or continues a run, that it publishes now, or that all is
// visible.
type segment struct {
	Run      json.RawMessage            `json:"run,omitempty"`      // of what begins, and of what is visible: whose it is
	Attempts []pipeline.Attempt         `json:"attempts,omitempty"` // of what begins
	Report   json.RawMessage            `json:"report,omitempty"`   // of what is visible
	Totals   map[string]pipeline.Counts `json:"totals,omitempty"`
	Answers  []*Answer                  `json:"answers,omitempty"`
}

// An Answer is one that was judged good.
type Answer struct {
	Page   string      `json:"page"`  // its address in the tree of walks
	Asked  uint64      `json:"asked"` // a hash of what was asked, the values of secrets left out
	Status int         `json:"status"`
	Header http.Header `json:"header"`        // what is read of it
	URL    string      `json:"url,omitempty"` // that was asked for; empty: it was no success, and a condition made a page of it
	Items  int         `json:"items"`
	Began  time.Time   `json:"began"` // the walk, on the run's clock
	At     time.Time   `json:"at"`    // it came, on the same
	Length int         `json:"length"`
	Body   []byte      `json:"-"` // as s2

	raw bytes.Buffer // of the attempt under way
}

// Tee returns a reader that keeps what is read of a body.
func (a *Answer) Tee(body io.Reader) io.Reader {
	a.raw.Reset()
	return io.TeeReader(body, a)
}

// Write implements [io.Writer].
func (a *Answer) Write(p []byte) (int, error) {
	if a.raw.Len() <= largestBody {
		a.raw.Write(p)
	}
	return len(p), nil
}

// Pack ends the reading of the body.
func (a *Answer) Pack() {
	if a.Body = nil; a.raw.Len() <= largestBody {
		a.Body = bytes.Clone(s2.Encode(nil, a.raw.Bytes())) // which has room for what cannot be compressed
	}
	a.Length = len(a.Body)
	a.raw = bytes.Buffer{}
}

// Reader reads the body again.
func (a *Answer) Reader() (io.Reader, error) {
	text, err := s2.Decode(nil, a.Body)
	return bytes.NewReader(text), err
}

// A Journal keeps the answers of a run for a later process (docs/architecture.md, Continue where it stopped).
type Journal struct {
	// What was there when it was opened:
	Run      []byte             // whose it is; nil: there is none
	Report   []byte             // of a run that is done; nil: it is not
	Attempts []pipeline.Attempt // those that continued it
	Totals   map[string]pipeline.Counts
	Pages    int
	Items    int64
	Last     time.Time // when the last answer came, on the run's clock

	Begun *bool // a later process can continue the run; nil before Begin

	// Set before Begin:
	Every time.Duration                     // after which a segment is cut
	Sum   func() map[string]pipeline.Counts // makes Totals of now
	Fail  func(error)                       // told once why nothing more is kept

	storing sync.Mutex // held by who uses the following
	storage Storage
	number  int   // of the last segment
	off     error // why nothing more is kept; nil: all is
	ctx     context.Context
	stop    context.CancelFunc
	index   map[uint64][2]int // number and place in it of an answer, by a hash of its address
	read    map[int][]*Answer // of some segments

	mu   sync.Mutex
	next []*Answer // of the next segment
	size int       // of them, about
}

// OpenJournal reads what there is of a run.
func OpenJournal(ctx context.Context, s Storage) (*Journal, error) {
	j := &Journal{storage: s, ctx: ctx, index: map[uint64][2]int{}, read: map[int][]*Answer{}}
	names, err := j.list()
	for _, name := range names {
		j.number, _ = strconv.Atoi(name[:8])
		if err = cmp.Or(context.Cause(ctx), j.learn()); err != nil {
			return nil, err
		}
	}
	if j.Run == nil { // whose answers these are nobody knows: the first segments have expired
		j.Forget()
	}
	j.ctx, j.stop = context.WithCancel(context.WithoutCancel(ctx)) //nolint:gosec // the life of the process ends it
	return j, err
}

// Segments returns the names of those that are there, and when they were written.
func Segments(ctx context.Context, s Storage) (map[string]time.Time, error) {
	name := regexp.MustCompile(`^\d{8}\.journal$`)
	all, err := s.List(ctx, "")
	maps.DeleteFunc(all, func(file string, _ time.Time) bool { return !name.MatchString(file) })
	return all, err
}

func nameOf(number int) string { return fmt.Sprintf("%08d.journal", number) }

// list returns the names of the segments, in order.
func (j *Journal) list() ([]string, error) {
	all, err := Segments(j.ctx, j.storage)
	return slices.Sorted(maps.Keys(all)), err
}

// load reads a segment.
func (j *Journal) load(number int) (s segment, err error) {
	const most = 1 << 40
	text, err := j.storage.Head(j.ctx, nameOf(number), most)
	if err != nil {
		return s, err
	}
	rest, ok := bytes.CutPrefix(text, []byte(magic))
	if !ok {
		begin, _, _ := bytes.Cut(text[:min(len(text), 40)], []byte("\n"))
		return s, fmt.Errorf("%s begins with %q: this version of sluice reads %q", nameOf(number), begin, magic[:len(magic)-1])
	}
	if len(j.read) == cached {
		delete(j.read, slices.Min(slices.Collect(maps.Keys(j.read))))
	}
	line, bodies, _ := bytes.Cut(rest, []byte("\n"))
	err = json.Unmarshal(line, &s)
	for _, a := range s.Answers {
		if a.Length < 0 || a.Length > len(bodies) {
			err = cmp.Or(err, io.ErrUnexpectedEOF)
			break
		}
		a.Body, bodies = bodies[:a.Length:a.Length], bodies[a.Length:]
	}
	if err != nil {
		return s, fmt.Errorf("%s is damaged: %w", nameOf(number), err)
	}
	j.read[number] = s.Answers
	return s, nil
}

// learn reads the last segment so far. What is before the beginning of another run is no more.
func (j *Journal) learn() error {
	s, err := j.load(j.number)
	if err != nil {
		return err
	}
	if s.Run != nil {
		if !bytes.Equal(s.Run, j.Run) {
			j.Forget()
		}
		j.Run, j.Attempts, j.Report = s.Run, s.Attempts, s.Report
	}
	if s.Totals != nil {
		j.Totals = s.Totals
	}
	for i, a := range s.Answers {
		j.index[a.key()] = [2]int{j.number, i}
		j.Pages, j.Items = j.Pages+1, j.Items+int64(a.Items)
		if a.At.After(j.Last) { // that of a page which only confirms an end is not known
			j.Last = a.At
		}
	}
	return nil
}

// Forget makes the journal that of a run which begins.
func (j *Journal) Forget() {
	j.Pages, j.Items, j.Last, j.Totals, j.Attempts = 0, 0, time.Time{}, nil, nil
	clear(j.index)
}

func (a *Answer) key() uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s %d", a.Page, a.Asked) // a hash takes everything
	return h.Sum64()
}

// Find returns the answer that the journal has to the same request for the same page, nil if there is none.
func (j *Journal) Find(asked *Answer) (*Answer, error) {
	j.storing.Lock()
	defer j.storing.Unlock()
	at, ok := j.index[asked.key()]
	if !ok {
		return nil, nil
	}
	if j.read[at[0]] == nil {
		if _, err := j.load(at[0]); err != nil {
			return nil, err
		}
	}
	if a := j.read[at[0]][at[1]]; a.Page == asked.Page { // else two of one hash
		return a, nil
	}
	return nil, nil
}

// Begin says that this process begins Run, or continues it as the last of Attempts.
func (j *Journal) Begin() {
	begun := j.put(segment{Run: j.Run, Attempts: j.Attempts}) == nil
	if j.Begun = &begun; begun && j.Attempts == nil {
		_ = j.prune() // what stays is removed at the end
	}
}

// prune removes all segments but the last.
func (j *Journal) prune() error {
	names, err := j.list()
	for _, name := range names[:max(len(names)-1, 0)] {
		err = cmp.Or(j.storage.Remove(j.ctx, name), err)
	}
	return err
}

// Keep keeps an answer, but for one that is too long, and one whose headers JSON would change.
func (j *Journal) Keep(a *Answer) {
	if a.Body == nil || !utf8.ValidString(fmt.Sprint(a.URL, a.Header)) {
		return
	}
	j.mu.Lock()
	j.next, j.size = append(j.next, a), j.size+a.Length+lineSize
	first, full := len(j.next) == 1, j.size > segmentSize
	j.mu.Unlock()
	if full {
		j.cut()
	} else if first {
		time.AfterFunc(j.Every, j.cut)
	}
}

// cut writes what is kept, if there is anything.
func (j *Journal) cut() {
	j.storing.Lock() // what is sealed comes after all answers
	defer j.storing.Unlock()
	j.mu.Lock()
	answers := j.next
	j.next, j.size = nil, 0
	j.mu.Unlock()
	if answers != nil {
		_ = j.write(segment{Totals: j.Sum(), Answers: answers}) // Fail was told
	}
}

func (j *Journal) put(s segment) error {
	j.storing.Lock()
	defer j.storing.Unlock()
	return j.write(s)
}

// write writes the next segment. Its error is [ErrContinued] if somebody else has; any other ends the keeping.
func (j *Journal) write(s segment) error {
	if j.off != nil {
		return j.off
	}
	line, err := json.Marshal(s)
	if err == nil {
		text := [][]byte{[]byte(magic), line, []byte("\n")}
		for _, a := range s.Answers {
			text = append(text, a.Body)
		}
		j.number++
		err = j.storage.Put(j.ctx, nameOf(j.number), bytes.Join(text, nil))
	}
	var names []string
	if err == nil {
		names, err = j.list()
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		err = ErrContinued
	case err == nil && (len(names) == 0 || names[len(names)-1] != nameOf(j.number)):
		if err = ErrContinued; !slices.Contains(names, nameOf(j.number-1)) { // the run has ended, and segments were removed
			_ = j.storage.Remove(j.ctx, nameOf(j.number)) // it harms nobody
		}
	}
	if j.off = err; err != nil {
		j.Fail(err)
	}
	return err
}

// Seal says that the run publishes now, unless another process does.
func (j *Journal) Seal() error {
	if j == nil {
		return nil
	}
	j.cut()
	if err := j.put(segment{}); errors.Is(err, ErrContinued) {
		return err
	}
	return nil
}

// Done says that all is visible, and removes the rest unless somebody may want all of it again.
func (j *Journal) Done(report []byte, repeated bool) error {
	j.storing.Lock()
	defer j.storing.Unlock()
	if j.off != nil {
		return nil // Fail was told
	}
	err := j.write(segment{Run: j.Run, Report: report})
	j.off = errEnded
	if err != nil || repeated {
		return err
	}
	return j.prune()
}

// Close writes what is kept, and the costs of a run that failed, if that does not take long.
func (j *Journal) Close() error {
	const patience = 10 * time.Second
	defer time.AfterFunc(patience, j.stop).Stop()
	j.cut()
	if j.Begun != nil {
		_ = j.put(segment{Totals: j.Sum()}) // Fail was told
	}
	j.storing.Lock()
	defer j.storing.Unlock()
	j.off = errEnded
	return j.storage.Close()
}
