package check

import (
	"encoding/json"

	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/paginate"
)

// A JobResult is what the first page of a job showed, without secrets.
type JobResult struct {
	About
	// Error is why there is no page; all below is empty then.
	Error string `json:"error,omitempty"`
	// Skipped is why nothing was asked.
	Skipped string `json:"skipped,omitempty"`
	FirstExchange
	Page *FirstPage `json:"page,omitempty"`
	// Stop is nil if the walk would go on with Next.
	Stop     *report.Stop `json:"stop,omitempty"`
	Next     string       `json:"next,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
	// Overlap is nil where it was not tried.
	Overlap *TriedOverlap `json:"overlap,omitempty"`
	// Nothing is nil where no answer below an item is 403 or 404.
	Nothing *Nothing `json:"nothing,omitempty"`
	// Newest is nil where the items of the page do not fall in time, or there is no other page.
	Newest *Newest `json:"newest,omitempty"`
	Suggestion

	// Err is what Error tells, or why a run would fail that has no other page.
	Err error `json:"-"`
	// Format is that, as JSON, in which the answer of Err seems to be; empty: in none that is known.
	Format string `json:"-"`
	// Unreached tells that Err is that there was no connection to the host.
	Unreached bool `json:"-"`
}

// Suggestion is how the pages may follow each other.
type Suggestion struct {
	// Pagination follows what the answer says, or is usual: it was tried, and its
	// second page has other items.
	Pagination json.RawMessage `json:"pagination,omitempty"`
	// Sure tells that the first page came again as it was, or is asked for as it was,
	// and that no item of the second stands on it.
	Sure bool `json:"sure,omitempty"`
	// Tries are the paginations that were tried, the last one is Pagination if there
	// is one.
	Tries []Try `json:"tries,omitempty"`
}

// A Try is a pagination that was tried.
type Try struct {
	Pagination json.RawMessage `json:"pagination"`
	// Requests are what was sent for it, method and address, without secrets.
	Requests []string `json:"requests,omitempty"`
	// Others are items of its second page that the first lacks, of the first 1,000.
	Others int `json:"others,omitempty"`
	// FromOne is the parameter that counts items, from 1 as it seems: its second page begins with the last item of
	// the first, and has no other of it. Empty: it does not seem so.
	FromOne string `json:"fromOne,omitempty"`
	// Against is why it is not suggested; empty: it is.
	Against string `json:"against,omitempty"`
}

// About says what a result is about.
type About struct {
	Job      string `json:"job,omitempty"`
	DataType string `json:"dataType,omitempty"`
	// Above is the id of the job that it is a child of.
	Above string `json:"above,omitempty"`
	// Login tells that it is about the login request, not a job.
	Login bool `json:"login,omitempty"`
}

// FirstExchange is the request and its answer.
type FirstExchange struct {
	Method string `json:"method,omitempty"`
	URL    string `json:"url,omitempty"`
	Status int    `json:"status,omitempty"`
	// Seconds are those of the last attempt, body included.
	Seconds float64 `json:"seconds,omitempty"`
	Bytes   int64   `json:"bytes,omitempty"`
	// Expires is when the session does, in RFC 3339.
	Expires string `json:"expires,omitempty"`
	// Kept is what the login gave for the next one, by name: what it was sent with may be
	// used up.
	Kept []string `json:"kept,omitempty"`
}

// FirstPage is what a page holds.
type FirstPage struct {
	Items int `json:"items"`
	// Filtered are those of Items that where leaves out.
	Filtered int `json:"filtered,omitempty"`
	// Cut are those that until leaves out.
	Cut int `json:"cut,omitempty"`
	// Array is where they are: dataField, or the member that was detected, or ".".
	Array string `json:"array"`
	// Detected tells that there is no dataField.
	Detected bool `json:"detected"`
	// First is the kind of the first item.
	First   string       `json:"first,omitempty"`
	Members []ItemMember `json:"members,omitempty"`
	// Looks are what the stop rule looks at.
	Looks []paginate.Criterion `json:"looks"`
	// Arrays are those of a response that is taken whole, the likeliest items first.
	Arrays   []string           `json:"arrays,omitempty"`
	Evidence []evidence.Finding `json:"evidence,omitempty"`
	// Verdict is that of a run that ended with this page, or of what it
	// holds so far.
	Verdict report.Verdict `json:"verdict"`

	// Item is the first one.
	Item []byte `json:"-"`
	// DataField makes objects of rows without names, of which the page seems to be; nil:
	// it does not.
	DataField json.RawMessage `json:"dataField,omitempty"`

	// Object tells that what the items were looked for in is an object.
	Object bool `json:"-"`
	// Envelope tells that there are two items, an object and an array.
	Envelope bool `json:"-"`
}

// ItemMember is a member of the first item.
type ItemMember struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// TriedOverlap is what came of asking for the second page one item early.
type TriedOverlap struct {
	// Request is what was sent, method and address, without secrets.
	Request string `json:"request"`
	// Holds: it begins with the last item of the first page, so that pages may overlap.
	Holds bool `json:"holds"`
	// Against is why they may not; empty: they may.
	Against string `json:"against,omitempty"`
}

// Nothing is what answers below items of a job say that may mean that there is nothing.
type Nothing struct {
	// EmptyOn are conditions that make pages without items of them.
	EmptyOn json.RawMessage `json:"emptyOn"`
	// Asked is below how many items was asked.
	Asked int `json:"asked"`
	// Good tells that there was a good answer below one of them.
	Good bool `json:"good"`
}

// A Newest is a member of the items whose times fall on the first page.
type Newest struct {
	// Field is its path, and First and Last are what the first and the last item have there.
	Field string          `json:"field"`
	First json.RawMessage `json:"first"`
	Last  json.RawMessage `json:"last"`
	// Changes tells that it is the time of a change, by its name: others do not tell when an item has changed.
	Changes bool `json:"changes"`
	// Until is what may stand in the job.
	Until json.RawMessage `json:"until"`
}
