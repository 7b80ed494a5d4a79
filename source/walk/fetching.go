package walk

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/source/page"
	"sluice/source/request"
	"sluice/source/transport/record"
)

// fetching is a page on its way, through all attempts. It is its worker's.
type fetching struct {
	*ask
	full *request.Request
	// came is that of the last attempt, and spec how it was read.
	came Fetched
	spec page.Spec
	// looking has the items looked at, in the last attempt.
	looking collectorSet
	// reply is for the journal; nil: there is none.
	reply *record.KeptAnswer
	// known tells that reply is from the journal.
	known bool
	// more makes further collectors; nil: there are none.
	more func() []Collector
}

// each is what looks at the items of one attempt at a page; nil if nothing does.
func (f *fetching) each() func(text []byte) error {
	l := &f.looking
	l.number, l.all = 0, l.few[:0]
	if f.more != nil {
		l.all = append(l.all, f.more()...)
	}
	for _, newOne := range f.shared.collectors {
		if c := newOne(f.ask, &f.came); c != nil {
			l.all = append(l.all, c)
		}
	}
	if len(l.all) == 0 {
		return nil
	}
	return l.item
}

// collectorSet gives each item of a page to all collectors, one item after the other.
type collectorSet struct {
	all []Collector
	// few has room for the usual collectors, so that all needs no memory of its own.
	few    [2]Collector
	number int
}

func (l *collectorSet) item(text []byte) error {
	l.number++
	for _, c := range l.all {
		if err := c.Item(l.number, text); err != nil {
			return err
		}
	}
	return nil
}

func isJSON(text []byte) bool {
	return jsontext.Value(text).IsValid(
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// errSettled says that an answer is neither a page nor an error. The member came of the fetching says what it is.
var errSettled = errors.New("the answer is settled")
