package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/predicate"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A responseFilter is a filter of answers: what is done with those for which one of its conditions holds.
type responseFilter struct {
	at     *manifest.Section
	action string
	on     []answerCondition
}

// An answerCondition is a status, or 0, and what else must hold, or nothing, in the language of recursionFilter.
type answerCondition struct {
	status int
	text   string
}

// String is the condition about the answer. One without a status names it all the same: so it counts for answers, too,
// that would be asked for again.
func (c answerCondition) String() string {
	switch {
	case c.status != 0:
		return both("$status=="+strconv.Itoa(c.status), c.text)
	case strings.HasPrefix(c.text, "$status"):
		return c.text
	}
	return both("$status>0", c.text)
}

// meets tells whether an answer may satisfy both: not if they want different values in the same place.
func (c answerCondition) meets(other answerCondition) bool {
	wanted := map[string]string{}
	for part := range strings.SplitSeq(c.String()+"&"+other.String(), "&") {
		path, value, isEquality := strings.Cut(part, "==")
		own, isWanted := wanted[path]
		switch {
		case isEquality && isWanted && own != value:
			return false
		case isEquality:
			wanted[path] = value
		}
	}
	return true
}

// Actions in the order in which they are judged here.
const (
	retry = iota
	ignore
	fail
)

var actions = map[string]int{
	"RETRY":        retry,
	"RATE_LIMITED": retry,
	"IGNORE":       ignore,
	"SUCCESS":      ignore,
	"FAIL":         fail,
}

// repeated are the statuses that are asked for again anyway.
var repeated = []int{408, 429, 500, 502, 503, 504}

// errorHandler reads what the answers of a job mean: its filters in their order, the first that holds counts.
func (s *Stream) errorHandler(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	if n == nil {
		return
	}
	rules := s.rules(n, sc, j)
	for i, r := range rules {
		for _, c := range r.on {
			s.judge(rules[:i], r, c, sc, j)
		}
	}
}

// judge adds a condition of a rule to the job, less what the rules before it have.
func (s *Stream) judge(
	before []responseFilter, r responseFilter, c answerCondition, sc template.Scope, j *write.PlannedJob,
) {
	action := actions[r.action]
	if isUsual(action, c) {
		return
	}
	for _, earlier := range before {
		if actions[earlier.action] <= action {
			continue
		}
		for _, e := range earlier.on {
			switch {
			case !c.meets(e):
			case e.text == "" && e.status == c.status:
				return
			case e.text == "":
				c.text = both(fmt.Sprintf("$status!=%d", e.status), c.text)
			case e.status == 0 && c.status == 0:
				sc.Values.Note(
					fmt.Sprintf("%s: if an answer matches both filters, %s (%s) counts, not %s (%s)",
						s.Name, c.text, r.action, e.text, earlier.action),
				)
			default:
				s.Refuse(r.at, "it would have to count after an earlier filter, which has no equivalent in sluice: "+
					"give the two filters different statuses")
				return
			}
		}
	}
	s.sayEmpty(r, c, sc)
	switch action {
	case retry:
		j.RetryOn = adding(j.RetryOn, c.String())
	case ignore:
		j.EmptyOn, j.EndOn = adding(j.EmptyOn, c.String()), adding(j.EndOn, c.String())
	case fail:
		j.FailOn = adding(j.FailOn, c.String())
	}
}

// sayEmpty notes where an answer that counts as empty may have items: Airbyte reads none of an error, whatever
// the action is, and all of a good answer.
func (s *Stream) sayEmpty(r responseFilter, c answerCondition, sc template.Scope) {
	isError := c.status >= 400 || strings.HasPrefix(c.text, "$status>=400")
	switch {
	case r.action == "SUCCESS" && isError:
		sc.Values.Note("items in an answer with an error status are read neither by Airbyte nor by sluice, " +
			"although its action is SUCCESS")
	case r.action == "IGNORE" && !isError:
		sc.Values.Note(
			"IGNORE on a successful answer: Airbyte reads its items and goes on; " +
				"sluice takes it for the last page, and for an error if it has items",
		)
	}
}

// isUsual tells what happens without a condition: an answer is asked for again because of its status, or is an error by
// it, or is a good one, which is read though it is ignored.
func isUsual(action int, c answerCondition) bool {
	isRepeated := slices.Contains(repeated, c.status)
	switch {
	case c.status == 0 || c.text != "":
		return false
	case action == retry:
		return isRepeated
	case action == ignore:
		return c.status < 400
	}
	return c.status >= 400 && !isRepeated
}

// adding is a list with one more text, once.
func adding(all []string, text string) []string {
	if slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// both is two conditions that must hold.
func both(first, second string) string {
	if second == "" {
		return first
	}
	return first + "&" + second
}

// rules are those of an error handler in the order in which they count.
func (s *Stream) rules(n *manifest.Section, sc template.Scope, j *write.PlannedJob) (all []responseFilter) {
	switch n.Kind() {
	case "DefaultErrorHandler":
		n.Ignore("max_retries")
		for _, strategy := range n.Get("backoff_strategies").Elements() {
			s.backoff(strategy, sc, j)
		}
		for _, f := range n.Get("response_filters").Elements() {
			all = append(all, s.rule(f, sc))
		}
	case "CompositeErrorHandler":
		return s.composite(n.Get("error_handlers").Elements(), sc, j)
	default:
		s.refuseKind(n, "error handler")
	}
	return all
}

// composite are the rules of several handlers. Good answers are for the first alone; an error by which one of them
// fails is shown to those behind it.
func (s *Stream) composite(handlers []*manifest.Section, sc template.Scope, j *write.PlannedJob) []responseFilter {
	var all, failing []responseFilter
	for i, h := range handlers {
		for _, r := range s.rules(h, sc, j) {
			for k, c := range r.on {
				if i > 0 && c.status == 0 {
					r.on[k].text = both("$status>=400", c.text)
				}
			}
			if actions[r.action] == fail && i < len(handlers)-1 {
				failing = append(failing, r)
			} else {
				all = append(all, r)
			}
		}
	}
	return append(all, failing...)
}

// rule reads a filter; one without an action does nothing.
func (s *Stream) rule(n *manifest.Section, sc template.Scope) responseFilter {
	n.Ignore("failure_type", "error_message")
	r := responseFilter{at: n, action: strings.ToUpper(n.Get("action").Text())}
	codes, predicate := n.Get("http_codes").Elements(), n.Get("predicate")
	contains := n.Get("error_message_contains").Text()
	_, isKnown := actions[r.action]
	switch {
	case r.action == "":
		n.Know()
		return r
	case r.action == "REFRESH_TOKEN_THEN_RETRY":
		// A 401 has a new login anyway.
		s.refuseIf(len(codes) != 1 || codes[0].Text() != "401", n,
			"a new login after another status than 401 has no equivalent in sluice")
		return responseFilter{at: n}
	case !isKnown:
		s.Refuse(n, "the action "+r.action+" has no equivalent in sluice")
		return r
	}
	for _, code := range codes {
		status, err := strconv.Atoi(code.Text())
		if err != nil {
			s.Refuse(code, "a status that is not a number is not supported")
			continue
		}
		r.on = append(r.on, answerCondition{status: status})
	}
	texts := messages(contains)
	if predicate.Text() != "" {
		s.try(predicate, func() { texts = append(texts, s.predicate(predicate, sc, r.action == "FAIL")...) })
	}
	for _, text := range texts {
		if r.action == "SUCCESS" {
			text = both("$status>=400", text)
		}
		r.on = append(r.on, answerCondition{text: text})
	}
	return r
}

// messagePaths are the members in which Airbyte looks for the message of an error.
var messagePaths = []string{
	"message", "messages", "error", "errors", "failures", "failure", "detail", "err", "error_message", "msg", "reason",
	"status_message",
}

// messages are conditions for an error whose message contains a text: what stands below such a member counts too.
func messages(contains string) []string {
	if contains == "" {
		return nil
	}
	pattern := "%" + strings.NewReplacer("&", "%", "|", "%", `"`, "%").Replace(contains) + "%"
	var all []string
	for _, path := range messagePaths {
		all = append(all, path+"~~"+pattern)
	}
	return all
}

// predicate are the conditions of a template about an answer.
func (s *Stream) predicate(n *manifest.Section, sc template.Scope, isFail bool) []string {
	c := predicate.OfAnswer(sc.Only(n, "as a condition"), "response", isFail)
	fault.If(c.Text == "", "%s", c.Why)
	if c.ButMissing {
		sc.Values.Note(fmt.Sprintf("%s fails by %s only where an answer has that member", s.Name, c.Text))
	}
	if c.ButNull != "" {
		sc.Values.Note(fmt.Sprintf("%s: where an answer has null as %s the condition %s holds in Airbyte, and not in sluice",
			s.Name, c.ButNull, c.Text))
	}
	return strings.Split(c.Text, "|")
}

// backoff reads how long to wait before a request is repeated. Only a header that says so counts: all other waiting
// changes neither requests nor items.
func (s *Stream) backoff(n *manifest.Section, sc template.Scope, j *write.PlannedJob) {
	n.Know()
	if class := n.Get("class_name").Text(); class != "" {
		sc.Values.Note(s.Name + ": the Python class " + class + " says how long to wait before a request is repeated, and is not " +
			"converted: in sluice retryConfig says it, and Retry-After of an answer")
	}
	if kind := n.Kind(); kind != "WaitTimeFromHeader" && kind != "WaitUntilTimeFromHeader" {
		return
	}
	header := s.fixed(n.Get("header"), sc, "")
	if !strings.EqualFold(header, "Retry-After") && j.RetryHeader == "" {
		j.RetryHeader = header
	}
}
