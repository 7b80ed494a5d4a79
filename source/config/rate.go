package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Rate is how many requests an API allows in each window of time.
type Rate struct {
	// Node is where the document says it.
	Node *Node

	// Text is what the document says, such as 1000/hour.
	Text string

	Limit  int
	Window time.Duration

	// Cost is what one request takes, at most Limit.
	Cost int

	// For is a pattern of endpoints; empty: all requests.
	For string
}

// mostOfRate bounds what a rate may allow.
const mostOfRate = 1_000_000

// rates reads the budgets of requests: one, or a list of them.
func rates(o *ObjectDecoder, p *Problems) (all []Rate) {
	n := o.Any("rate",
		"How many requests the API allows, such as 10/s, 1000/hour or 100/10s; several hold at once.",
		"string", "rate", "array")
	if n == nil {
		return nil
	}
	elems := []*Node{n}
	if n.Kind == '[' {
		elems = n.Elems
	}
	for _, elem := range elems {
		if r, ok := rateOf(elem, p); ok {
			all = append(all, r)
		}
	}
	return all
}

func rateOf(n *Node, p *Problems) (r Rate, ok bool) {
	r.Node, r.Cost = n, 1
	limit := n
	if n.Kind == '{' {
		limit = r.decode(NewObjectDecoder(n, p), p)
		if limit == nil {
			return r, false
		}
	}
	if !limit.mustBeString("a rate such as 10/s or 1000/hour", p) {
		return r, false
	}
	r.Text = limit.Text()
	var err error
	r.Limit, r.Window, err = parseRate(r.Text)
	if err != nil {
		p.Errorf(limit, "%v", err)
		return r, false
	}
	if r.Cost > r.Limit {
		p.Errorf(n, "one request costs %d, which is more than %s ever allows", r.Cost, r.Text)
		return r, false
	}
	return r, true
}

// decode reads a rate that says more than its limit, which it returns.
func (r *Rate) decode(o *ObjectDecoder, p *Problems) (limit *Node) {
	limit = o.Any("limit", "How many in which time, such as 100/min.", "string")
	r.For = o.Text("for", "",
		"The endpoints that count: a pattern with * of the path below baseUrl, or of host/path; else all.",
		"search*")
	cost, n := o.Int("cost", 1, "What one such request takes.")
	inRange := 1 <= cost && cost <= mostOfRate
	if n != nil && !inRange {
		p.Errorf(n, "must be between 1 and %d", mostOfRate)
		cost = 1
	}
	r.Cost = int(cost)
	o.Require("limit")
	o.Done()
	return limit
}

// rateUnits are the words for a window of time.
var rateUnits = map[string]time.Duration{
	"s": time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute,
	"h": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour,
}

// parseRate reads a number of requests and a window: 10/s, 1000/hour, 100/10s.
func parseRate(text string) (limit int, window time.Duration, err error) {
	wrong := fmt.Errorf(
		"%q is no rate: write a number of requests, a slash and a time, such as 10/s, 300/min, 1000/hour, 5000/day or 100/10s",
		text)
	number, per, _ := strings.Cut(text, "/")
	limit, err = strconv.Atoi(strings.TrimSpace(number))
	if err != nil {
		return 0, 0, wrong
	}
	if limit < 1 || limit > mostOfRate {
		return 0, 0, fmt.Errorf("%q: the number of requests must be between 1 and %d", text, mostOfRate)
	}
	per = strings.TrimSpace(per)
	name := strings.TrimLeft(per, "0123456789")
	times := 1
	if digits := per[:len(per)-len(name)]; digits != "" {
		times, err = strconv.Atoi(digits)
		if err != nil {
			return 0, 0, wrong
		}
	}
	unit, isUnit := rateUnits[strings.TrimSpace(name)]
	if !isUnit || times < 1 {
		return 0, 0, wrong
	}
	const longest = 31 * 24 * time.Hour
	if times > int(longest/unit) {
		return 0, 0, fmt.Errorf("%q: the time must be 31 days at most", text)
	}
	return limit, time.Duration(times) * unit, nil
}
