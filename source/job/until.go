package job

import (
	"sluice/pipeline/item"
	"sluice/source/expr"
)

// An UntilError is what is wrong with until.
type UntilError struct {
	// Member is before or slack.
	Member string
	Text   string
}

func (e *UntilError) Error() string { return "until." + e.Member + ": " + e.Text }

// BoundOf reads the value of the member before of until: a text that is no date may be one such as -2 days.
func (j *Job) BoundOf(v expr.Value) (bound expr.Comparable, err error) {
	bound = expr.ComparableOf(v.JSON)
	if bound.Kind == "" || string(v.JSON) == `""` {
		return bound, &UntilError{"before", "must be a number, a date or a text, not " + nounOf(v.JSON)}
	}
	if !bound.IsDate() && !bound.IsNumber() {
		text, _ := item.Text(v.JSON)
		at, err := expr.ParseTime(text, j.API.Started)
		if err == nil {
			bound = expr.ComparableTime(at)
		}
	}
	if why := j.Paging.Until.Slack.Against(&bound); why != "" {
		return bound, &UntilError{"slack", why}
	}
	return bound, nil
}

// nounOf says in words what is no bound.
func nounOf(value []byte) string {
	switch {
	case value == nil:
		return "nothing"
	case string(value) == `""`:
		return "an empty text"
	}
	return item.Noun(item.Kind(value))
}

// before evaluates the bound at which a walk ends that has this of its own; in a plan it is not known.
func (j *Job) before(own Own, env expr.Env) (bound expr.Comparable, err error) {
	if j.Before == nil || own.Unknown != nil {
		return bound, nil
	}
	v, err := j.Before.Eval(env)
	if err != nil {
		return bound, err
	}
	return j.BoundOf(v)
}
