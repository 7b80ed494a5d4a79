package record

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

const (
	// cached segments are in memory while they are read again.
	cached = 2
	// largestNumber leaves room for more segments than a run has: a name has eight digits.
	largestNumber = 99_000_000
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

// A Journal keeps the answers of a run for a later process (docs/architecture.md, Continue where it stopped).
// Reading what is there, taking what comes, and writing go on beside each other.
type Journal struct {
	// That was there when it was opened.
	Kept

	// Are set before Begin.
	JournalHooks

	// A later process can continue the run; nil before Begin.
	Begun *bool

	storage Storage

	// Of the life of the process.
	ctx  context.Context
	stop context.CancelFunc

	reading journalReading
	waiting waiting
	writing writing
}

// Kept is what a journal has of a run.
type Kept struct {
	// The identity of the run that the journal belongs to; nil: it belongs to none.
	Run []byte

	// Of a run that is done; nil: it is not.
	Report []byte

	// Those that continued it.
	Attempts []report.Continuation

	Totals map[string]report.Costs
	Pages  int
	Items  int64

	// When the last answer came, on the run's clock.
	Last time.Time

	// Uploads are those that were begun.
	Uploads []BegunUpload

	// Showing says that the last process was about to publish, and may still be doing so.
	Showing bool
}

// JournalHooks are what a journal asks, and whom it tells.
type JournalHooks struct {
	// After which a segment is cut, but the first.
	Every time.Duration

	// Makes Totals of now.
	Sum func() map[string]report.Costs

	// Told once why nothing more is kept.
	Fail func(error)

	// Told what cannot be used of a file, and once that requests wait for the journal.
	Warn func(text string)

	// Told before a segment that could not be written is tried again.
	Again func(err error, pause time.Duration)
}

// journalReading is what there is of earlier processes.
type journalReading struct {
	sync.Mutex

	// Number and place in it of an answer, by its key.
	index map[uint64][2]int

	// Of some segments.
	read map[int][]*KeptAnswer

	// What cannot be used, by the number of the file; told: empty.
	faults map[int]string
}

// waiting is what is not written yet.
type waiting struct {
	mu sync.Mutex

	// In the order in which they came, but for those that are being written.
	answers []*KeptAnswer
	notes   []note

	// Of answers, in bytes, and of those that are being written, too.
	size, held int

	// The end of the first segment was timed.
	timed bool

	// More than a segment waits, and will be cut.
	full bool

	// Closed once no more is held than may wait; nil: nobody waits for that.
	room chan struct{}

	// Somebody has waited.
	told bool
}

// A note is an upload that has begun, and where to tell that this is written.
type note struct {
	BegunUpload
	written chan error
}

// writing is what whoever writes segments needs, one at a time.
type writing struct {
	// Has an element while somebody writes.
	turn chan struct{}

	// Of the last segment.
	number atomic.Int64

	// Of the one with which the run begins.
	first int

	// Why nothing more is kept; nil: all is.
	off error

	// Fail was told.
	told sync.Once
}

func (w *writing) begin() { w.turn <- struct{}{} }

func (w *writing) end() { <-w.turn }

// last is the name of the last segment.
func (w *writing) last() string { return nameOf(int(w.number.Load())) }

// Segments returns the names of those that are there, and when they were written.
func Segments(ctx context.Context, s Storage) (map[string]time.Time, error) {
	name := regexp.MustCompile(`^\d{8}\.journal$`)
	all, err := s.List(ctx, "")
	for _, file := range slices.Sorted(maps.Keys(all)) {
		segment, isFolder := strings.CutSuffix(file, "/")
		if isFolder && name.MatchString(segment) && err == nil {
			err = fmt.Errorf("%s is no regular file: remove it", segment)
		}
	}
	maps.DeleteFunc(all, func(file string, _ time.Time) bool { return !name.MatchString(file) })
	return all, err
}

func nameOf(number int) string { return fmt.Sprintf("%08d.journal", number) }

// list returns the names of the segments, in order.
func (j *Journal) list() ([]string, error) {
	all, err := Segments(j.ctx, j.storage)
	return slices.Sorted(maps.Keys(all)), err
}
