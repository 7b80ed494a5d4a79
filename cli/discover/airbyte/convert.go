package airbyte

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/convert"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
	"sluice/pipeline"
	"sluice/source/config"
)

// A work is a conversion of all that is wanted of a manifest.
type work struct {
	*convert.Conversion

	in Input
}

// Convert converts a manifest. The error says why nothing of it can be read. The same input always gives the same.
func Convert(in Input) (Translation, error) {
	d, err := manifest.Read(in.Manifest)
	if err != nil {
		return Translation{}, err
	}
	v, err := template.NewValues(d.Root, in.Values, in.Now)
	if err != nil {
		return Translation{}, err
	}
	c := &work{&convert.Conversion{Document: d, Values: v}, in}
	all, err := c.streams()
	if err != nil {
		return Translation{}, err
	}
	kept := c.fitting(all)
	convert.ShareRefusals(all)
	var r Translation
	for _, s := range all {
		r.Streams = append(r.Streams, outcomeOf(s))
	}
	for _, s := range kept {
		c.Values.Keep(s.Trace)
	}
	if len(kept) > 0 {
		p := write.Assemble(c.Values, outputs(kept))
		r.Configuration, r.Secrets, r.Missing, r.Flags = p.Text, p.Secrets, p.Missing, p.Flags
		r.Notes = p.Notes
		r.Program = convert.Program(kept)
		c.advise(&r)
	}
	return r, nil
}

// outputs are streams as the configuration has them.
func outputs(streams []*convert.Stream) (all []*write.StreamJobs) {
	for _, s := range streams {
		all = append(all, s.Output())
	}
	return all
}

// streams are those that are wanted, converted, in the order of the manifest.
func (c *work) streams() (all []*convert.Stream, err error) {
	var names []string
	var there []*convert.Stream
	for _, n := range c.Document.Root.Get("streams").Elements() {
		there = append(there, c.Conversion.Stream(n)...)
	}
	there = append(there, c.dynamic()...)
	for _, s := range there {
		if slices.Contains(names, s.Name) {
			s.Refuse(s.At, "an earlier stream has the same name, or has no name either")
		}
		names = append(names, s.Name)
		if len(c.in.Streams) == 0 || slices.Contains(c.in.Streams, s.Name) {
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
	return all, c.Document.Err()
}

// fitting are the streams that one configuration can have. The others are refused.
func (c *work) fitting(all []*convert.Stream) []*convert.Stream {
	kept := slices.DeleteFunc(slices.Clone(all), func(s *convert.Stream) bool {
		return s.IsRefused() || !c.isSound(s)
	})
	isOther := func(s *convert.Stream) bool { return s.Login() != kept[0].Login() }
	if slices.ContainsFunc(kept, isOther) {
		for _, s := range kept {
			s.OwnKeys()
		}
	}
	// Of two that are as common the first counts, also where it is none.
	login := write.Commonest(kept, func(s *convert.Stream) string { return s.Login() + "." })
	kept = slices.DeleteFunc(kept, func(s *convert.Stream) bool {
		if s.Login()+"." == login {
			return false
		}
		s.Refuse(s.At, "most streams log in in another way: convert this one alone, with --stream "+s.Name)
		return true
	})
	// Mostly all fit, so that they need not be compiled one after the other.
	if len(kept) == 0 || c.check(kept) == nil {
		return kept
	}
	var fit []*convert.Stream
	for _, s := range kept {
		with := append(slices.Clone(fit), s)
		if err := c.check(with); err != nil {
			s.Refuse(s.At, "it does not fit the other streams: convert it alone, with --stream "+s.Name+": "+err.Error())
			continue
		}
		fit = with
	}
	return fit
}

// isSound tells that the configuration of a stream alone is good.
func (c *work) isSound(s *convert.Stream) bool {
	isOther := func(j *write.PlannedJob) bool { return j.Login() != s.Login() && !j.IsLed() }
	if slices.ContainsFunc(s.Jobs(), isOther) {
		s.OwnKeys()
	}
	for _, j := range s.Jobs() {
		if isOther(j) {
			s.Refuse(s.At, "its requests log in in different ways, which one configuration cannot express")
			return false
		}
	}
	err := c.check([]*convert.Stream{s})
	if err != nil {
		s.Refuse(s.At, c.unsound(s, err.Error()))
	}
	return err == nil
}

// unsound says why the configuration of a stream is not good, and which values are in what is wrong.
func (c *work) unsound(s *convert.Stream, problem string) string {
	if strings.Contains(problem, "so the same request is sent for each item") {
		return "its requests name no value of the parent, so Airbyte sends the same for each of its items, which is not supported"
	}
	place, _, _ := strings.Cut(problem, ": ")
	used := write.Assemble(c.Values, outputs([]*convert.Stream{s})).AttributesAt(place)
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.Values.Used)) {
		setting := c.Values.Used[name]
		isGiven := !setting.IsSecret && !setting.IsMissing
		if isGiven && slices.Contains(used, name) {
			names = append(names, setting.Path)
		}
	}
	if len(names) > 0 {
		return "--values: what is made of " + strings.Join(names, " and ") + " is not good: " + problem
	}
	if decided := s.Trace.Decided(); len(decided) > 0 {
		return "the configuration is not good: " + problem + " (it depends on these values: " + strings.Join(decided, ", ") + ")"
	}
	return "the configuration is not good: " + problem + " (if the manifest is right there, please report it)"
}

// check is what the input has to say about the configuration of some streams.
func (c *work) check(streams []*convert.Stream) error {
	if c.in.Check == nil {
		return nil
	}
	return c.in.Check(write.Assemble(c.Values, outputs(streams)).Text)
}

// outcomeOf is what became of the stream.
func outcomeOf(s *convert.Stream) StreamOutcome {
	o := StreamOutcome{
		Stream: s.Name, Verdict: Whole, File: pipeline.FileName(s.Name), JQ: s.Filter(),
		Reasons: slices.Concat(s.More, s.Left),
	}
	isLeft := len(s.Steps) > 0 || len(s.Left) > 0
	switch {
	case s.IsRefused():
		return StreamOutcome{Stream: s.Name, Verdict: Refused, Reasons: s.Refusals}
	case len(s.More) > 0:
		o.Verdict = Superset
	case isLeft:
		o.Verdict = Shaped
	}
	return o
}
