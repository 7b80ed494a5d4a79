package airbyte

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/source/config"
)

// A conversion is the work on one manifest.
type conversion struct {
	in       Input
	document *document
	values   *values
}

// Convert converts a manifest. The error says why nothing of it can be read. The same input always gives the same.
func Convert(in Input) (Result, error) {
	d, err := read(in.Manifest)
	if err != nil {
		return Result{}, err
	}
	v, err := newValues(d.root, in.Values)
	if err != nil {
		return Result{}, err
	}
	c := &conversion{in: in, document: d, values: v}
	all, err := c.streams()
	if err != nil {
		return Result{}, err
	}
	kept := c.fitting(all)
	var r Result
	for _, s := range all {
		r.Streams = append(r.Streams, s.outcome())
	}
	for _, s := range kept {
		c.values.keep(s.trace)
	}
	if len(kept) > 0 {
		p := assemble(c.values, kept).product
		r.Configuration, r.Secrets, r.Missing, r.Flags = p.text, p.secrets, p.missing, p.flags
		r.Notes = p.notes
		c.advise(&r)
	}
	return r, nil
}

// streams are those that are wanted, converted, in the order of the manifest.
func (c *conversion) streams() (all []*stream, err error) {
	var names []string
	var there []*stream
	for _, n := range c.document.root.get("streams").elements() {
		there = append(there, c.stream(n)...)
	}
	there = append(there, c.dynamic()...)
	for _, s := range there {
		if slices.Contains(names, s.name) {
			s.refuse(s.at, "a stream before it has the same name, or none either")
		}
		names = append(names, s.name)
		isWanted := len(c.in.Streams) == 0 || slices.Contains(c.in.Streams, s.name)
		if isWanted {
			all = append(all, s)
		}
	}
	for _, name := range c.in.Streams {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there is no stream %q%s", name, config.Have(name, names))
		}
	}
	if len(all) == 0 {
		return nil, errors.New("manifest: it has no streams")
	}
	return all, c.document.err()
}

// fitting are the streams that one configuration can have. The others are refused.
func (c *conversion) fitting(all []*stream) []*stream {
	kept := slices.DeleteFunc(slices.Clone(all), func(s *stream) bool {
		return s.isRefused() || !c.isSound(s)
	})
	isOther := func(s *stream) bool { return s.login() != kept[0].login() }
	if slices.ContainsFunc(kept, isOther) {
		for _, s := range kept {
			s.ownKeys()
		}
	}
	// Of two that are as common the first counts, also where it is none.
	login := commonest(kept, func(s *stream) string { return s.login() + "." })
	kept = slices.DeleteFunc(kept, func(s *stream) bool {
		if s.login()+"." == login {
			return false
		}
		s.refuse(s.at, "most streams log in otherwise: convert it alone, with --stream "+s.name)
		return true
	})
	// Mostly all fit, so that they need not be compiled one after the other.
	if len(kept) == 0 || c.check(kept) == nil {
		return kept
	}
	var fit []*stream
	for _, s := range kept {
		with := append(slices.Clone(fit), s)
		if err := c.check(with); err != nil {
			s.refuse(
				s.at,
				"it does not fit the others: convert it alone, with --stream "+s.name+": "+err.Error(),
			)
			continue
		}
		fit = with
	}
	return fit
}

// isSound tells that the configuration of a stream alone is good.
func (c *conversion) isSound(s *stream) bool {
	isOther := func(j *job) bool { return j.login() != s.login() && !j.isLed() }
	if slices.ContainsFunc(s.jobs(), isOther) {
		s.ownKeys()
	}
	for _, j := range s.jobs() {
		if isOther(j) {
			s.refuse(s.at, "its requests log in in different ways, which one configuration cannot do")
			return false
		}
	}
	err := c.check([]*stream{s})
	if err != nil {
		s.refuse(s.at, "what it became is no good configuration, which is a mistake of sluice: "+err.Error())
	}
	return err == nil
}

// check is what the input has to say about the configuration of some streams.
func (c *conversion) check(streams []*stream) error {
	if c.in.Check == nil {
		return nil
	}
	return c.in.Check(assemble(c.values, streams).text)
}

// login is how a job's requests are signed, as a text; empty: they are not.
func (j *job) login() string {
	settings := j.auth.settings()
	if len(settings) == 0 {
		return ""
	}
	return settings.String() + j.auth.credentials.String()
}

// isLed tells that a job signs nothing and asks where an answer says, mostly at another origin, where it has no
// credentials anyway.
func (j *job) isLed() bool {
	return j.login() == "" && j.base == "" && !strings.Contains(partsOf(j.endpoint).first(), "://")
}

// login is how the requests of a stream are signed.
func (s *stream) login() string {
	for _, j := range s.jobs() {
		if login := j.login(); login != "" {
			return login
		}
	}
	return ""
}

// jobs are all of a stream.
func (s *stream) jobs() (all []*job) {
	for _, root := range s.roots() {
		all = append(all, root.tree()...)
	}
	return all
}

// tree are a job and all below it.
func (j *job) tree() []*job {
	all := []*job{j}
	for _, child := range j.children {
		all = append(all, child.tree()...)
	}
	return all
}

// isRefused tells that there is no job for the stream.
func (s *stream) isRefused() bool { return len(s.refusals) > 0 }

// outcome is what became of the stream.
func (s *stream) outcome() Outcome {
	o := Outcome{
		Stream: s.name, Verdict: Whole, File: fileName(s.name), JQ: strings.Join(s.steps, " | "),
		Reasons: slices.Concat(s.more, s.left),
	}
	isLeft := len(s.steps) > 0 || len(s.left) > 0
	switch {
	case s.isRefused():
		return Outcome{Stream: s.name, Verdict: Refused, Reasons: s.refusals}
	case len(s.more) > 0:
		o.Verdict = Superset
	case isLeft:
		o.Verdict = Shaped
	}
	return o
}
