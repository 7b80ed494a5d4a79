package check

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"sluice/source/walk"
)

// mostDenied is below how many items a child job is asked for until an answer is neither 403
// nor 404.
const mostDenied = 5

// deniedAnswers are the answers of a child job that were 403 or 404.
type deniedAnswers struct {
	// first is nil if there is none.
	first    *JobResult
	statuses []int
	asked    int
}

// mayGoOn takes a result that is an error, and tells whether the next item is to be asked for.
func (d *deniedAnswers) mayGoOn(r *JobResult) bool {
	status := walk.StatusOf(r.Err)
	mayBeNothing := status == http.StatusForbidden || status == http.StatusNotFound
	if r.Above == "" || !mayBeNothing {
		return false
	}
	if d.first == nil {
		first := *r
		d.first = &first
	}
	d.asked++
	if !slices.Contains(d.statuses, status) {
		d.statuses = append(d.statuses, status)
	}
	return d.asked < mostDenied
}

// judge is the first result that a run would fail with, if there is one, with what it suggests;
// last is the last one.
func (d *deniedAnswers) judge(last JobResult) JobResult {
	if d.first == nil {
		return last
	}
	var conditions []string
	for _, status := range d.statuses {
		conditions = append(conditions, fmt.Sprintf("$status==%d", status))
	}
	// Texts.
	text, _ := json.Marshal(conditions)
	n := &Nothing{EmptyOn: text, Asked: d.asked, Good: last.Err == nil}
	if n.Good {
		n.Asked++
	}
	d.first.Nothing = n
	return *d.first
}
