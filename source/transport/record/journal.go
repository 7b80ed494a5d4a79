package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

const (
	// cached segments are in memory while they are read again.
	cached = 2
	// firstCut is when what a process has is written for the first time, since it may not live long.
	firstCut = time.Second
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
type Journal struct {
	// That was there when it was opened.
	Kept

	// Are set before Begin.
	Hooks

	// A later process can continue the run; nil before Begin.
	Begun *bool

	storing storing
	mu      sync.Mutex
	next    next
}

// Kept is what a journal has of a run.
type Kept struct {
	// Whose it is; nil: there is none.
	Run []byte

	// Of a run that is done; nil: it is not.
	Report []byte

	// Those that continued it.
	Attempts []report.Attempt

	Totals map[string]report.Counts
	Pages  int
	Items  int64

	// When the last answer came, on the run's clock.
	Last time.Time

	// Uploads are those that were begun.
	Uploads []Upload

	// Showing says that the last process was about to publish, and may be at it.
	Showing bool
}

// Hooks are what a journal asks, and whom it tells.
type Hooks struct {
	// After which a segment is cut, but the first.
	Every time.Duration

	// Makes Totals of now.
	Sum func() map[string]report.Counts

	// Told once why nothing more is kept.
	Fail func(error)

	// Told what cannot be used of a file.
	Warn func(text string)
}

// storing is what whoever reads and writes segments needs, one at a time.
type storing struct {
	sync.Mutex
	storage Storage

	// Of the last segment.
	number int

	// Of the one with which the run begins.
	begin int

	// Why nothing more is kept; nil: all is.
	off error

	// Fail was.
	told bool

	ctx  context.Context
	stop context.CancelFunc

	// Number and place in it of an answer, by its key.
	index map[uint64][2]int

	// Of some segments.
	read map[int][]*Answer

	// What cannot be used, by the number of the file; told: empty.
	faults map[int]string
}

// next is what the next segment will have.
type next struct {
	answers []*Answer
	size    int

	// Its end is not the first that is timed.
	timed bool
}

// OpenJournal reads what there is of a run.
func OpenJournal(ctx context.Context, s Storage) (*Journal, error) {
	j := &Journal{storing: storing{
		storage: s,
		ctx:     ctx,
		index:   map[uint64][2]int{},
		read:    map[int][]*Answer{},
		faults:  map[int]string{},
	}}
	names, err := j.list()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		j.storing.number, _ = strconv.Atoi(name[:8])
		if j.storing.number > largestNumber {
			return nil, fmt.Errorf("%s has a number after which none is left; %s", name, j.meaning())
		}
		if err := j.learn(); err != nil {
			return nil, err
		}
	}
	lasting := context.WithoutCancel(ctx)
	//nolint:gosec // the life of the process ends it
	ctx, stop := context.WithCancel(lasting)
	j.storing.ctx, j.storing.stop = ctx, stop
	return j, nil
}

// Segments returns the names of those that are there, and when they were written.
func Segments(ctx context.Context, s Storage) (map[string]time.Time, error) {
	name := regexp.MustCompile(`^\d{8}\.journal$`)
	all, err := s.List(ctx, "")
	for _, file := range slices.Sorted(maps.Keys(all)) {
		segment, isFolder := strings.CutSuffix(file, "/")
		inTheWay := isFolder && name.MatchString(segment)
		if inTheWay && err == nil {
			err = fmt.Errorf("%s is no regular file: remove it", segment)
		}
	}
	maps.DeleteFunc(all, func(file string, _ time.Time) bool { return !name.MatchString(file) })
	return all, err
}

func nameOf(number int) string { return fmt.Sprintf("%08d.journal", number) }

// list returns the names of the segments, in order.
func (j *Journal) list() ([]string, error) {
	all, err := Segments(j.storing.ctx, j.storing.storage)
	return slices.Sorted(maps.Keys(all)), err
}

// load reads a segment.
func (j *Journal) load(number int) (*segment, error) {
	text, err := j.storing.storage.Head(j.storing.ctx, nameOf(number), largestSegment+1)
	if err != nil {
		return nil, err
	}
	s, answers, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", nameOf(number), err)
	}
	read := j.storing.read
	if len(read) >= cached {
		delete(read, slices.Min(slices.Collect(maps.Keys(read))))
	}
	read[number] = answers
	return s, nil
}

// learn reads the last segment so far. The answers before the beginning of another run, and those of a run whose
// beginning is gone, are no more.
func (j *Journal) learn() error {
	number := j.storing.number
	s, err := j.load(number)
	if errors.As(err, new(unreadable)) {
		return fmt.Errorf("%w; %s", err, j.meaning())
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; let this user read it; %s", err, j.meaning())
	}
	if err != nil {
		return err
	}
	begins := s.Run != nil && s.Attempts == nil
	if begins && !bytes.Equal(s.Run, j.Run) {
		j.Forget()
		j.Run = s.Run
		j.storing.begin = number
	}
	if j.Run == nil {
		return nil
	}
	if s.Of != hash(string(j.Run)) {
		j.fault(number, "is of another run, and is not used")
		return nil
	}
	if s.Run != nil {
		j.Attempts, j.Report = s.Attempts, s.Report
	}
	if s.Totals != nil {
		j.Totals = s.Totals
	}
	j.Uploads = append(j.Uploads, s.Uploads...)
	j.Showing = s.publishes()
	j.enter(number)
	return nil
}

// meaning is what the removal of a segment means that comes after those that were read.
func (j *Journal) meaning() string {
	if j.Run == nil {
		return "if it is removed, the run begins anew"
	}
	return "if it is removed, what it has is asked for again"
}

// enter enters the answers of a segment, but for those that are damaged.
func (j *Journal) enter(number int) {
	damaged := 0
	for i, a := range j.storing.read[number] {
		if a == nil {
			damaged++
			continue
		}
		j.storing.index[a.key()] = [2]int{number, i}
		j.Pages++
		j.Items += int64(a.Items)
		// That of a page which only confirms an end is not known.
		if a.At.After(j.Last) {
			j.Last = a.At
		}
	}
	if damaged > 0 {
		const text = "is damaged: %d of its %d answers cannot be used, and are asked for again"
		j.fault(number, fmt.Sprintf(text, damaged, len(j.storing.read[number])))
	}
}

// fault says once what cannot be used of a file.
func (j *Journal) fault(number int, text string) {
	if _, known := j.storing.faults[number]; known {
		return
	}
	j.storing.faults[number] = nameOf(number) + " " + text
	j.tellFaults()
}

// tellFaults tells them if there is anybody to tell yet.
func (j *Journal) tellFaults() {
	if j.Warn == nil {
		return
	}
	for _, number := range slices.Sorted(maps.Keys(j.storing.faults)) {
		if text := j.storing.faults[number]; text != "" {
			j.Warn(text)
		}
		j.storing.faults[number] = ""
	}
}

// Forget makes the journal that of a run which begins.
func (j *Journal) Forget() {
	j.Kept = Kept{Run: j.Run}
	clear(j.storing.index)
}

// Find returns the answer that the journal has to the same request for the same page, nil if there is none.
func (j *Journal) Find(asked *Answer) (*Answer, error) {
	j.storing.Lock()
	defer j.storing.Unlock()
	at, ok := j.storing.index[asked.key()]
	if !ok {
		return nil, nil
	}
	number, place := at[0], at[1]
	if j.storing.read[number] == nil {
		_, err := j.load(number)
		if errors.As(err, new(unreadable)) {
			j.storing.read[number] = []*Answer{}
		} else if err != nil {
			return nil, err
		}
	}
	all := j.storing.read[number]
	if place >= len(all) || all[place] == nil {
		j.fault(number, "has been damaged since the run began, and what it had is asked for again")
		return nil, nil
	}
	a := all[place]
	// Two of one hash.
	if a.Page != asked.Page || a.Asked != asked.Asked {
		return nil, nil
	}
	return a, nil
}

// Note keeps that an upload has begun. Its error is [ErrContinued], or none.
func (j *Journal) Note(u Upload) error {
	err := j.put(segment{Uploads: []Upload{u}})
	if errors.Is(err, ErrContinued) {
		return err
	}
	return nil
}

// Begin says that this process begins Run, or continues it as the last of Attempts. What is left of the runs before
// it goes.
func (j *Journal) Begin() {
	j.storing.Lock()
	j.tellFaults()
	err := j.write(segment{Run: j.Run, Attempts: j.Attempts}, nil)
	if err == nil && j.Attempts == nil {
		j.storing.begin = j.storing.number
	}
	if err == nil {
		// What stays is removed at the end.
		_ = j.removeBefore(j.storing.begin)
	}
	j.storing.Unlock()
	begun := err == nil
	j.Begun = &begun
	j.tell(err)
}

// Remove removes the segments of these names, the first one before the others: without it nobody continues the rest.
func Remove(ctx context.Context, s Storage, names []string) error {
	for _, name := range slices.Sorted(slices.Values(names)) {
		if err := s.Remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// Clear removes the journal of a run that nobody continues, if it is of that run. What is done alone stays.
func Clear(ctx context.Context, s Storage, mine func(run []byte) bool) error {
	all, err := Segments(ctx, s)
	if err != nil || len(all) < 2 {
		return err
	}
	names := slices.Sorted(maps.Keys(all))
	for _, name := range names {
		text, err := s.Head(ctx, name, largestSegment+1)
		if err != nil {
			return err
		}
		first, _, err := decode(text)
		if err != nil {
			return fmt.Errorf("%s %w", name, err)
		}
		if first.Run != nil {
			if mine(first.Run) {
				return Remove(ctx, s, names)
			}
			return nil
		}
	}
	return nil
}

// removeBefore removes all segments with smaller numbers.
func (j *Journal) removeBefore(number int) error {
	names, err := j.list()
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name >= nameOf(number) })
	return Remove(j.storing.ctx, j.storing.storage, names)
}

// Tidy removes what is left of a run that has ended, but for what says so.
func (j *Journal) Tidy() error {
	j.storing.Lock()
	defer j.storing.Unlock()
	return j.removeBefore(j.storing.number)
}

// Keep keeps an answer, but for one that is too long, and one whose headers JSON would change.
func (j *Journal) Keep(a *Answer) {
	if a.Body == nil || !utf8.ValidString(fmt.Sprint(a.URL, a.Header)) {
		return
	}
	line, err := json.Marshal(a)
	if err != nil {
		return
	}
	a.line = append(line, '\n')
	j.mu.Lock()
	n := &j.next
	n.answers = append(n.answers, a)
	n.size += len(a.line) + len(a.Body)
	first := len(n.answers) == 1
	full := n.size > segmentSize
	wait := j.Every
	if first && !n.timed {
		n.timed = true
		wait = min(wait, firstCut)
	}
	j.mu.Unlock()
	if full {
		j.cut()
	} else if first {
		time.AfterFunc(wait, j.cut)
	}
}

// cut writes what is kept, if there is anything.
func (j *Journal) cut() {
	// What is sealed comes after all answers.
	j.storing.Lock()
	j.mu.Lock()
	answers := j.next.answers
	j.next.answers = nil
	j.next.size = 0
	j.mu.Unlock()
	var err error
	if answers != nil {
		err = j.write(segment{Totals: j.Sum()}, answers)
	}
	j.storing.Unlock()
	j.tell(err)
}

// put writes a segment without answers.
func (j *Journal) put(s segment) error {
	j.storing.Lock()
	err := j.write(s, nil)
	j.storing.Unlock()
	j.tell(err)
	return err
}

// tell tells once that nothing more is kept.
func (j *Journal) tell(err error) {
	if err == nil || errors.Is(err, errEnded) {
		return
	}
	j.storing.Lock()
	told := j.storing.told
	j.storing.told = true
	j.storing.Unlock()
	if !told {
		j.Fail(err)
	}
}

// write writes the next segment. Its error is [ErrContinued] if somebody else has; any other ends the keeping.
func (j *Journal) write(s segment, answers []*Answer) error {
	w := &j.storing
	if w.off != nil {
		return w.off
	}
	s.Of = hash(string(j.Run))
	text, err := s.encode(answers)
	if err == nil {
		err = w.storage.Put(w.ctx, nameOf(w.number+1), text)
	}
	failed := err != nil && !errors.Is(err, fs.ErrExist)
	if failed && j.isAnothers() {
		// Who has ended the run has removed what this process was writing.
		w.off = ErrContinued
		return ErrContinued
	}
	var names []string
	if err == nil {
		w.number++
		names, err = j.list()
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		err = ErrContinued
	case err == nil && !endsWith(names, w.number):
		err = ErrContinued
		// The run has ended, and segments were removed.
		if !slices.Contains(names, nameOf(w.number-1)) {
			// It harms nobody.
			_ = w.storage.Remove(w.ctx, nameOf(w.number))
		}
	}
	w.off = err
	return err
}

// endsWith tells whether the segment with this number is the last of those names, which are in order.
func endsWith(names []string, number int) bool {
	last := len(names) - 1
	return last >= 0 && names[last] == nameOf(number)
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

// Lost tells whether another process has begun or continued the run since this one did, or has ended it: what this one
// stored may be gone. What cannot be found out is no.
func (j *Journal) Lost() bool {
	if j == nil || j.Begun == nil {
		return false
	}
	if !*j.Begun {
		return false
	}
	j.storing.Lock()
	defer j.storing.Unlock()
	return j.isAnothers()
}

// isAnothers tells whether a later segment says that another process has begun, continued or ended the run. What cannot
// be found out in time counts as no.
func (j *Journal) isAnothers() bool {
	const patience = 10 * time.Second
	ctx, stop := context.WithTimeout(j.storing.ctx, patience)
	defer stop()
	all, _ := Segments(ctx, j.storing.storage)
	own := nameOf(j.storing.number)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name <= own {
			continue
		}
		text, err := j.storing.storage.Head(ctx, name, largestSegment+1)
		if err != nil {
			return false
		}
		// One of this process that was written though its answer was lost has no run.
		s, _, err := decode(text)
		if err == nil && s.Run != nil {
			return true
		}
	}
	return false
}

// isLast tells whether the last segment is the one that this process has written or read last.
func (j *Journal) isLast() bool {
	names, err := j.list()
	return err == nil && endsWith(names, j.storing.number)
}

// Done says that all is visible, and removes the rest unless somebody may want all of it again. It does so too where
// not all was kept, since what there is would refuse the next run.
func (j *Journal) Done(report []byte, repeated bool) error {
	j.storing.Lock()
	defer j.storing.Unlock()
	if j.storing.off != nil && !j.isLast() {
		// Fail was told.
		return nil
	}
	j.storing.off = nil
	err := j.write(segment{Run: j.Run, Report: report}, nil)
	j.storing.off = errEnded
	if err != nil || repeated {
		return err
	}
	return j.removeBefore(j.storing.number)
}

// Close writes what is kept, and the costs of a run that failed, if that does not take long.
func (j *Journal) Close() error {
	const patience = 10 * time.Second
	defer time.AfterFunc(patience, j.storing.stop).Stop()
	if j.Begun != nil {
		j.cut()
		// Fail was told.
		_ = j.put(segment{Totals: j.Sum()})
	}
	j.storing.Lock()
	defer j.storing.Unlock()
	j.storing.off = errEnded
	return j.storing.storage.Close()
}
