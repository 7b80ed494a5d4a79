package pipeline

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"sluice/pipeline/report"
)

// An Observer is told everything that happens in a run. Observe is called from several goroutines and must
// return quickly. Texts in events carry no secrets: who makes an event redacts them.
type Observer interface {
	Observe(Event)
}

// Observers hands each event to each of them, in order.
type Observers []Observer

// Observe implements [Observer].
func (all Observers) Observe(e Event) {
	for _, o := range all {
		o.Observe(e)
	}
}

// An Event is one of the structs of this file.
type Event any

// A Call names one HTTP exchange: what it is for, and what it asks.
type Call struct {
	// Unique in the run; the attempts of one request have ids of their own.
	ID uint64

	// Id of the job; for a login request the one that asked for it.
	Job string

	// Page of the walk, from 1; 0 for a login request.
	Page int

	// Place of the walk among all, where other walks of the job, or other pages of one, may send the same but for
	// their headers.
	Walk string

	// From 1.
	Attempt int

	// GET or POST.
	Method string

	// Secrets replaced.
	URL string
}

// Where says in a message which exchange it is about. An API may make addresses of any length.
func (c Call) Where() string { return c.Method + " " + Shorten(c.URL, 300) }

// Shorten returns the first n bytes of a text, in whole characters, and an ellipsis if that is not all.
func Shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// mostOfWord is how many bytes a word of a message has, at most: more than any part that is cut by itself.
const mostOfWord = 600

// Brief returns a message in which words that are too long are cut: an API may give numbers, ids and links of any
// length. Its secrets must be gone, since half of one is not found any more.
func Brief(text string) string {
	if len(text) <= mostOfWord {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		end := strings.IndexAny(text, " \t\n")
		if end < 0 {
			end = len(text)
		}
		b.WriteString(Shorten(text[:end], mostOfWord))
		rest := strings.TrimLeft(text[end:], " \t\n")
		b.WriteString(text[end : len(text)-len(rest)])
		text = rest
	}
	return b.String()
}

// Size writes a number of bytes, in MiB or GiB where that is exact.
func Size(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// Login tells whether the call is a login request.
func (c Call) Login() bool { return c.Page == 0 }

// RequestSent says that an HTTP request begins.
type RequestSent struct {
	Call

	// Without a byte, after which the attempt ends.
	Patience time.Duration

	At time.Time
}

// Outlives says that the run is over, but waits for the answer to a request that was sent, until Until at the latest.
type Outlives struct {
	Call
	Until time.Time
}

// ResponseDone says that an HTTP exchange is over, its body read or given up.
type ResponseDone struct {
	Call

	// 0 if no answer came.
	Status int

	// Of the body, as decoded.
	Bytes int64

	// From sending to the header of the answer.
	FirstByte time.Duration

	Total time.Duration

	// What was wrong with the exchange itself, if anything.
	Err error

	At time.Time
}

// Retrying says that a request failed and will be sent again after Delay.
type Retrying struct {
	Call
	Delay time.Duration

	// Such as "503 Service Unavailable".
	Reason string

	At time.Time

	// The answer was good, and says that what was asked for is not ready.
	Unready bool
}

// BudgetSpent says that no request may be sent for a time.
type BudgetSpent struct {
	// "rate limit of the API", "--rate", or what a host has answered.
	Reason string

	Until, At time.Time
}

// LoggedIn says that a session began.
type LoggedIn struct {
	// Whose request asked for it.
	Job string

	// zero: never.
	Expires time.Time

	// The names of the values that its answer gave for the next login. The values that it was sent with may be used up.
	Kept []string

	At time.Time
}

// PageJudged says that a page was read whole and is good.
type PageJudged struct {
	Job, DataType string

	// Of the job: 0 for a root job.
	Depth int

	Page  int
	Items int

	// Items beside these, for which the job's where does not hold.
	Filtered int

	// A condition of emptyOn made it one without items.
	Empty bool

	// Of the page, as compact JSON.
	Bytes int64

	// It was asked for by an earlier process of the run.
	Kept bool

	At time.Time

	// Of the job that has come; 0: not known.
	Share float64
}

// SeamJudged says of a page whose job has pages that overlap whether it began with items of the page before it.
type SeamJudged struct {
	Job   string
	Seams report.SeamCounts
	At    time.Time
}

// GuessedInVain says that a page was requested ahead, before it was known to be needed, and that it is not needed.
type GuessedInVain struct {
	Job  string
	Page int

	// That were sent for it.
	Requests int

	At time.Time
}

// ItemSkipped says that an item has no walk of a child job, since it lacks an optional placeholder.
type ItemSkipped struct {
	// The child.
	Job string

	At time.Time
}

// WalkEnded says why a walk asks for no further page.
type WalkEnded struct {
	Job, DataType string

	// Of the job: 0 for a root job.
	Depth int

	Pages int
	Items int64

	// Items beside these, for which the job's where does not hold.
	Filtered int64

	Stop report.Stop

	// Of a root walk of a shard.
	End *report.WalkEnd

	At time.Time
}

// Grounded says why the ends of the walks of a job are believed (see [report.Ground]). It comes when the last of them
// has ended, once for each document of a configuration that has the job.
type Grounded struct {
	Job     string
	Grounds report.Grounds
}

// JobFindings says what all walks of a job of a shard had, at their end; once for each document of a configuration
// that has the job.
type JobFindings struct {
	Job      string
	Findings report.Findings

	// What the answers of its walks were and said, but for root walks.
	Facts json.RawMessage
}

// Warned is something that a person should know about a run that goes on.
type Warned struct {
	// May be empty.
	Job string

	Text string

	// The verdict that the job has at best because of it; Complete if it does not lower the verdict.
	Verdict report.Verdict

	At time.Time

	// True if nobody needs to look into it. The report lists it apart from the warnings.
	Expected bool
}

// Warning tells what a report says of a job.
func Warning(job string, r report.Remark, at time.Time) Warned {
	return Warned{Job: job, Text: r.Text, Verdict: r.Verdict, Expected: r.Expected, At: at}
}

// Continued says that a run was begun by an earlier process, and what that one left.
type Continued struct {
	// When the first process began.
	Since time.Time

	Items           int64
	Pages, Attempts int

	// All of it is visible already.
	Ended bool
}

// Storing says what the sink begins to do. What is empty when it waits for the source again.
type Storing struct {
	What string

	// Not of what waits.
	At time.Time
}

// StoringAgain says that what stores has failed, and is asked again after Delay.
type StoringAgain struct {
	// The destination, or the journal.
	Where  string
	Reason string
	Delay  time.Duration
	At     time.Time
}

// BatchWritten says that the sink has taken a batch.
type BatchWritten struct {
	Job, DataType string
	Items         int
	Bytes         int
	Took          time.Duration
	At            time.Time
}
