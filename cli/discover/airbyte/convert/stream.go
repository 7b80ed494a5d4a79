// Package convert makes jobs of the streams of a manifest: one file for each kind of component. What cannot be said is
// refused by name.
package convert

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sluice/cli/discover/airbyte/fault"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/template"
	"sluice/cli/discover/airbyte/write"
)

// A Reason is why a stream is not whole.
type Reason struct {
	// Place is a path in the manifest, such as streams[2].retriever.paginator.
	Place string `json:"place"`
	// Line is that of the manifest, from 1; 0: it is not known.
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

// Login is how the requests of a stream are signed.
func (s *Stream) Login() string {
	for _, j := range s.Jobs() {
		if login := j.Login(); login != "" {
			return login
		}
	}
	return ""
}

// Jobs are all of a stream.
func (s *Stream) Jobs() (all []*write.PlannedJob) {
	for _, root := range s.roots() {
		all = append(all, root.Tree()...)
	}
	return all
}

// IsRefused tells that there is no job for the stream.
func (s *Stream) IsRefused() bool { return len(s.Refusals) > 0 }

// A Stream is one of the manifest while it is converted. What cannot be said is noted, and the conversion goes on, so
// that all of it is said at once.
type Stream struct {
	Name string
	At   *manifest.Section

	// root is the outermost job, own the one whose items the stream has.
	root, own *write.PlannedJob

	// slices are its parts, each with jobs of its own; parents are the streams above, the nearest first.
	slices  []*slice
	parents []*manifest.Section

	Refusals, More []Reason

	// Left is what the items still lack that no filter of jq says.
	Left []Reason

	// Trace has the values that have decided something for it, and what a person should know of it.
	Trace manifest.Trace

	// Steps are the filters of jq for the items, in order; transformed are those of the first slice's transformations.
	Steps, transformed []string
	isTransformed      bool
}

// Refuse notes that there is no job for the stream, and why: the text names what is not understood, and the cure.
func (s *Stream) Refuse(at *manifest.Section, text string) {
	s.Refusals = append(s.Refusals, s.reason(at, text))
}

// refuseIf does so where something is wrong.
func (s *Stream) refuseIf(isWrong bool, at *manifest.Section, text string) {
	if isWrong {
		s.Refuse(at, text)
	}
}

// refuseWhole does so for what is there, with all that stands in it.
func (s *Stream) refuseWhole(at *manifest.Section, text string) {
	at.Know()
	s.refuseIf(at != nil, at, text)
}

// leave notes what the items still lack, and no filter of jq says.
func (s *Stream) leave(at *manifest.Section, text string) {
	s.Left = append(s.Left, s.reason(at, text))
}

// widen notes that the job gives more items than the manifest would.
func (s *Stream) widen(at *manifest.Section, text string) {
	s.More = append(s.More, s.reason(at, text))
}

// widenIf does so where that is so.
func (s *Stream) widenIf(isWider bool, at *manifest.Section, text string) {
	if isWider {
		s.widen(at, text)
	}
}

// reason is a text about a place; what is not there at all stands at the stream.
func (s *Stream) reason(at *manifest.Section, text string) Reason {
	if at == nil {
		at = s.At
	}
	if at == nil {
		return Reason{Text: text}
	}
	return Reason{Place: at.Place, Line: at.Line, Text: text}
}

// try reads a part. A fault that ends it is why there is no job.
func (s *Stream) try(at *manifest.Section, read func()) (isRead bool) {
	err := fault.Try(read)
	var own misreading
	if errors.As(err, &own) {
		at = own.at
	}
	if err != nil {
		s.Refuse(at, err.Error())
	}
	return err == nil
}

// A Conversion is the work on one manifest.
type Conversion struct {
	Document *manifest.Manifest
	Values   *manifest.Values
}

// distinct are the reasons, each once.
func distinct(all []Reason) (once []Reason) {
	for _, r := range all {
		if !slices.Contains(once, r) {
			once = append(once, r)
		}
	}
	return once
}

// A reading is how a stream is read: for itself, or for the streams below its items.
type reading struct {
	// isParent: its items are for those below it. isWhole: each run reads all of them.
	isParent, isWhole bool

	// taken are names of values of a parent that it is combined with.
	taken []string
}

// roots are the outermost jobs of the stream.
func (s *Stream) roots() (all []*write.PlannedJob) {
	for _, sl := range s.slices {
		if !slices.Contains(all, sl.root) {
			all = append(all, sl.root)
		}
	}
	return all
}

// Output is the stream as the configuration has it.
func (s *Stream) Output() *write.StreamJobs {
	o := &write.StreamJobs{Name: s.Name, Roots: s.roots()}
	for _, sl := range s.slices {
		o.Own = append(o.Own, sl.own)
	}
	return o
}

// scope is that of values alone.
func (c *Conversion) scope() template.Scope { return template.Scope{Values: c.Values} }

// decided is the text of a template that the values decide, empty where it gives nothing; not ok: they do not, or there
// is none.
func decided(sc template.Scope, n *manifest.Section) (string, bool) {
	if n == nil {
		return "", false
	}
	text, err := fault.Result(func() string { return sc.FixedText(n) })
	return text, err == nil
}

// A misreading is a fault that stands at a node of its own.
type misreading struct {
	at *manifest.Section
	error
}

// of is what is read of a template, which a fault names.
func of[T any](n *manifest.Section, read func() T) T {
	v, err := fault.Result(read)
	if err != nil {
		panic(fault.New("%w", misreading{n, fmt.Errorf("%s: %w", strings.TrimSpace(n.Text()), err)}))
	}
	return v
}

// shapeOnce notes a filter of jq that the items still have to pass, which may be there.
func (s *Stream) shapeOnce(filter string) {
	if !slices.Contains(s.Steps, filter) {
		s.Steps = append(s.Steps, filter)
	}
}

// refuseKind refuses a component that is no known one; of a custom one it says which code it needs.
func (s *Stream) refuseKind(n *manifest.Section, noun string) {
	n.Know()
	if class := n.Get("class_name").Text(); class != "" {
		s.Refuse(n, "the "+noun+" is the Python class "+class+", which cannot be converted")
		return
	}
	article := "a "
	if strings.ContainsAny(noun[:1], "aeiou") {
		article = "an "
	}
	s.Refuse(n, article+noun+" "+cmp.Or(n.Kind(), "without a type")+" is not supported")
}

// misreadIf raises a fault that stands at a node of its own, where there is one.
func misreadIf(at *manifest.Section, isWrong bool, text string) {
	fault.If(isWrong && at == nil, "%s", text)
	fault.If(isWrong, "%w", misreading{at, errors.New(text)})
}
