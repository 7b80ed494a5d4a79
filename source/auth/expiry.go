package auth

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/expr"
)

// milliseconds is where a Unix time is no longer taken for seconds.
const milliseconds = 1e11

// expiry says how long a session is good; zero is for ever.
type expiry struct {
	// always has a login before every request.
	always bool

	// after is that long after the login; 0: see response.
	after time.Duration

	// response is where the login response says it; nil: it does not.
	response item.Path

	// relative tells that it says a number of seconds.
	relative bool
}

func decodeExpiry(n *config.Node, p *config.Problems) expiry {
	if n == nil {
		return expiry{}
	}
	if n.Kind == '{' {
		var e expiry
		e.decode(config.NewObjectDecoder(n, p))
		return e
	}
	seconds, ok := n.Int()
	if !ok || seconds > math.MaxInt64/int64(time.Second) {
		p.Errorf(n,
			`must be a number of seconds, or an object such as {"response": "expires_in", "relative": true}`)
		return expiry{}
	}
	if seconds <= 0 {
		return expiry{always: true}
	}
	return expiry{after: time.Duration(seconds) * time.Second}
}

func (e *expiry) decode(o *config.ObjectDecoder) {
	path := o.Text("response", "", "Path in the login response that holds the expiry.")
	if path != "" {
		e.response = item.ParsePath(path, ".")
	}
	e.relative = o.Bool("relative", false, "Whether it is a number of seconds instead of a time.")
	o.Require("response")
	o.Done()
}

// places are where [item.Find] looks for what a path leads to.
func places(path item.Path) []item.Path { return []item.Path{path, {path.String()}} }

// of returns when a session that begins now ends; zero is never. In the login responses find leads to what a path
// names.
func (e expiry) of(find func(path string) jsontext.Value, now time.Time) (time.Time, error) {
	if e.after > 0 {
		return now.Add(e.after), nil
	}
	if e.response == nil {
		return time.Time{}, nil
	}
	path := strings.Join(e.response, ".")
	found := find(path)
	switch item.Kind(found) {
	case 'n':
		return time.Time{}, nil
	case '0', '"':
		text, _ := item.Text(found)
		if at, err := e.parse(strings.TrimSpace(text), now); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("api.authentication.expires: the login response has no time at %s", path)
}

func (e expiry) parse(text string, now time.Time) (time.Time, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return expr.ParseTime(text, now)
	}
	if math.IsNaN(n) || math.Abs(n) > 1e15 {
		return time.Time{}, strconv.ErrRange
	}
	switch {
	case e.relative:
		return now.Add(time.Duration(min(n, 1e9) * float64(time.Second))), nil
	case n > milliseconds:
		return time.UnixMilli(int64(n)), nil
	}
	return time.Unix(int64(n), 0), nil
}

// seconds is a number of seconds, or what is usual if there is none, of a day at most.
func seconds(n json.Number, usual time.Duration) time.Duration {
	f, err := n.Float64()
	if err != nil || f <= 0 {
		return usual
	}
	return time.Duration(min(f, (24*time.Hour).Seconds()) * float64(time.Second))
}
