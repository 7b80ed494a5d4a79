package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/vbauerster/mpb/v8/cwriter"

	"sluice/pipeline"
)

const (
	drawEvery   = 200 * time.Millisecond
	rateOver    = 5 * time.Second // how far back the rate looks
	usualWidth  = 80              // of what is no terminal
	usualHeight = 24
	lineStart   = "\r\x1b[J" // and nothing behind it
)

// view is the observer that shows on a terminal how far a run is: a few lines
// that are drawn anew again and again. Log lines go through it, and stay above.
// What is drawn says [standing.lines].
type view struct {
	now     func() time.Time
	colours bool

	mu    sync.Mutex
	under io.Writer
	out   *cwriter.Writer // nil while nothing is drawn
	drawn []int           // widths of the lines that stand there
	at    standing
	stop  chan struct{}
	done  sync.WaitGroup
}

var (
	_ pipeline.Observer = &view{}
	_ io.Writer         = &view{}
)

// progressFlag makes the view that --progress asks for, nil if there is to be
// none. Without being told, there is one where people look at stderr, unless the
// data goes to the same terminal, or into a pipe: what is at its other end (| jq)
// mostly shows it there too, and the view would be drawn over it.
func progressFlag(c invocation, w *world) (*view, error) {
	v := &view{now: w.now, under: w.stderr, colours: isTerminal(w.stderr) && w.getenv("NO_COLOR") == ""}
	when, err := c.choice("progress")
	if err != nil || when == "never" {
		return nil, err
	}
	mixed := isStdout(c.String("output"), w.stdout) && !isRegular(w.stdout)
	if when == "auto" && (!isTerminal(w.stderr) || mixed || w.getenv("TERM") == "dumb" || c.String("log-format") != "text") {
		return nil, nil
	}
	return v, nil
}

func isTerminal(stream any) bool {
	f, ok := file(stream)
	return ok && cwriter.IsTerminal(int(f.Fd()))
}

func isRegular(stream any) bool {
	f, ok := file(stream)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

func file(stream any) (*os.File, bool) {
	if p, ok := stream.(pipe); ok {
		return p.File, true
	}
	f, ok := stream.(*os.File)
	return f, ok
}

// start begins to draw. roots are the ids of the jobs that are below no other. A
// nil view draws nothing.
func (v *view) start(roots []string) {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.at = standing{began: v.now(), roots: roots, jobs: map[string]*jobStanding{}}
	v.out = cwriter.New(v.under)
	v.stop = make(chan struct{})
	v.done.Go(v.redraw)
}

func (v *view) redraw() {
	ticker := time.NewTicker(drawEvery)
	defer ticker.Stop()
	for {
		select {
		case <-v.stop:
			return
		case <-ticker.C:
			v.mu.Lock()
			v.rewrapped()
			v.draw()
			v.mu.Unlock()
		}
	}
}

// close takes the view away. Log lines then go where they would without it.
func (v *view) close() {
	if v == nil || v.stop == nil {
		return
	}
	close(v.stop)
	v.done.Wait()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rewrapped()
	_ = v.out.Flush(0) // moves up to where it began, and clears
	v.out, v.stop = nil, nil
}

// Write takes log lines; each call must end with a line break.
func (v *view) Write(lines []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.out == nil {
		return v.under.Write(lines)
	}
	v.rewrapped()
	_, _ = v.out.Write(lines) // into memory
	v.draw()
	return len(lines), nil
}

// draw replaces what was drawn before, in one write. There is nobody to tell if
// that fails.
func (v *view) draw() {
	width, height := v.size()
	lines := v.at.lines(v.now(), width, height)
	v.drawn = v.drawn[:0]
	for _, l := range lines {
		text := l.text
		if v.colours && l.colour != "" {
			text = l.colour + text + "\x1b[0m"
		}
		_, _ = v.out.WriteString(text + "\n")
		v.drawn = append(v.drawn, runewidth.StringWidth(l.text))
	}
	_ = v.out.Flush(len(lines))
	_, _ = v.out.WriteString(lineStart) // for the next time: the terminal shows ^C where the cursor is
}

// rewrapped moves up further when the terminal has become so narrow that lines
// that stand there take more rows than one.
func (v *view) rewrapped() {
	width, _ := v.size()
	rows := 0
	for _, w := range v.drawn {
		rows += max(w-1, 0) / width
	}
	if rows > 0 {
		_, _ = fmt.Fprintf(v.out, "\x1b[%dA"+lineStart, rows)
	}
}

func (v *view) size() (width, height int) {
	width, height, err := v.out.GetTermSize()
	if err != nil || width < 1 {
		return usualWidth, usualHeight
	}
	return width, height
}

// Observe implements [pipeline.Observer].
func (v *view) Observe(e pipeline.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.out != nil {
		v.at.observe(e)
	}
}

// standing is how far a run is.
type standing struct {
	began   time.Time
	roots   []string
	jobs    map[string]*jobStanding
	order   []*jobStanding // as they began
	ended   int            // root jobs
	samples []sample       // one a second, of all jobs
	all     counts
}

// jobStanding is how far a job is.
type jobStanding struct {
	id      string
	page    int // the last one judged
	counts  counts
	samples []sample
	flying  []pipeline.RequestSent
	waits   []pipeline.Retrying // before another attempt
	ended   bool
	last    time.Time // when something happened
}

type counts struct{ items, bytes int64 }

// sample is how many items there were at a time.
type sample struct {
	at    time.Time
	items int64
}

func (s *standing) observe(e pipeline.Event) {
	switch e := e.(type) {
	case pipeline.RequestSent:
		j := s.job(e.Job, e.At)
		j.waits = slices.DeleteFunc(j.waits, func(w pipeline.Retrying) bool { return w.Page == e.Page })
		j.flying = append(j.flying, e)
	case pipeline.ResponseDone:
		j := s.job(e.Job, e.At)
		j.flying = slices.DeleteFunc(j.flying, func(f pipeline.RequestSent) bool { return f.ID == e.ID })
		if !e.Login() {
			j.counts.bytes += e.Bytes
			s.all.bytes += e.Bytes
		}
	case pipeline.Retrying:
		j := s.job(e.Job, e.At)
		j.waits = append(j.waits, e)
	case pipeline.PageJudged:
		j := s.job(e.Job, e.At)
		j.page = e.Page
		j.counts.items += int64(e.Items)
		s.all.items += int64(e.Items)
		j.samples = sampled(j.samples, e.At, j.counts.items)
		s.samples = sampled(s.samples, e.At, s.all.items)
	case pipeline.WalkEnded:
		if j := s.job(e.Job, e.At); e.Depth == 0 && !j.ended {
			j.ended = true
			s.ended++
		}
	}
}

// job returns the job, to which something happens at a time.
func (s *standing) job(id string, at time.Time) *jobStanding {
	j := s.jobs[id]
	if j == nil {
		j = &jobStanding{id: id}
		s.jobs[id] = j
		s.order = append(s.order, j)
	}
	j.last = at
	return j
}

// sampled adds a sample, at most one a second, and forgets what is too old to
// matter.
func sampled(all []sample, at time.Time, items int64) []sample {
	if n := len(all); n > 1 && at.Sub(all[n-2].at) < time.Second {
		all[n-1] = sample{at, items}
		return all
	}
	all = append(all, sample{at, items})
	for len(all) > 2 && at.Sub(all[1].at) > rateOver {
		all = all[1:]
	}
	return all
}

// recently is items per second of late. It sinks while nothing comes.
func recently(all []sample, began, now time.Time, items int64) float64 {
	from := sample{at: began}
	for _, s := range all {
		if now.Sub(s.at) < rateOver {
			break
		}
		from = s
	}
	if took := now.Sub(from.at).Seconds(); took > 0 {
		return float64(items-from.items) / took
	}
	return 0
}
