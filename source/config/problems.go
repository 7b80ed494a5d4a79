package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problems collects everything that is wrong or odd in a configuration.
type Problems struct {
	// AnyAttributes: one that is missing is no problem, since nothing will be sent.
	AnyAttributes bool

	list []Problem

	// How many of the list are errors.
	errors int
}

// A Problem is one thing that is wrong or odd, and where.
type Problem struct {
	// Severity is error or warning. With a warning run goes on and validate fails.
	Severity string `json:"severity"`

	// Path is a JSON path; empty for the document as a whole.
	Path string `json:"path,omitempty"`

	// Text says what is wrong and what to do.
	Text string `json:"text"`

	// File is the name of the document that the caller gave it.
	File string `json:"file,omitempty"`

	// Line counts from 1; 0 if the place is not in the file.
	Line int `json:"line,omitempty"`

	// Column counts from 1, in bytes.
	Column int `json:"column,omitempty"`

	// Excerpt is the line without secrets, and a caret below the column.
	Excerpt string `json:"-"`

	// Note tells that the warning is about what may be meant so: validate does not fail.
	Note bool `json:"-"`

	// Doubt tells that the warning is about what has no effect, see [Problems.Doubts].
	Doubt bool `json:"-"`
}

// Errorf adds an error at n; n may be nil, then it concerns the whole document.
func (p *Problems) Errorf(n *Node, format string, args ...any) {
	if n == nil {
		n = &Node{}
	}
	p.add(n.file, n.offset, n.Path, format, args...)
}

// Warnf adds something that does not keep a run from going on.
func (p *Problems) Warnf(n *Node, format string, args ...any) {
	p.Errorf(n, format, args...)
	p.list[len(p.list)-1].Severity = "warning"
	p.errors--
}

// Doubtf adds a warning about what has no effect, so that the data may be other than what is meant.
func (p *Problems) Doubtf(n *Node, format string, args ...any) {
	p.Warnf(n, format, args...)
	p.list[len(p.list)-1].Doubt = true
}

// Notef adds a warning, of one line, about what may be meant as it is.
func (p *Problems) Notef(n *Node, format string, args ...any) {
	p.Warnf(n, format, args...)
	last := &p.list[len(p.list)-1]
	last.Note = true
	last.Excerpt = ""
}

// Absent adds that the attribute name of config is missing, and how it can be given.
func (p *Problems) Absent(n *Node, text, name string) {
	if !p.AnyAttributes {
		p.Errorf(n, "%s: set it in config, or with --attr-env '%s=VARIABLE'", text, name)
	}
}

func (p *Problems) add(f *documentText, offset int, path, format string, args ...any) {
	problem := Problem{Severity: "error", Path: path, Text: fmt.Sprintf(format, args...)}
	if f != nil && offset >= 0 {
		problem.File = f.name
		problem.Line, problem.Column = f.position(offset)
		problem.Excerpt = f.excerpt(offset, path)
	}
	p.list = append(p.list, problem)
	p.errors++
}

// Failed tells whether there is a problem that is no warning.
func (p *Problems) Failed() bool { return p.errors > 0 }

// All returns the problems in the order of the document, each once.
func (p *Problems) All() []Problem {
	slices.SortStableFunc(p.list, compare)
	p.list = slices.Compact(p.list)
	return p.list
}

// compare orders problems by their place, then by path and text.
func compare(a, b Problem) int {
	byPlace := cmp.Or(a.Line-b.Line, a.Column-b.Column)
	if byPlace != 0 {
		return byPlace
	}
	byPath := strings.Compare(a.Path, b.Path)
	if byPath != 0 {
		return byPath
	}
	return strings.Compare(a.Text, b.Text)
}

// Err returns an [*Error] with all problems that are no warnings, or nil.
func (p *Problems) Err() error {
	var errs []Problem
	for _, problem := range p.All() {
		if problem.Severity == "error" {
			errs = append(errs, problem)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return &Error{errs}
}

// An Error says what is wrong with a configuration: exit status 2.
type Error struct{ Problems []Problem }

// Error shows every problem with its line.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Brief is the problem in one line.
func (p Problem) Brief() string {
	p.Excerpt = ""
	return p.String()
}

// String shows the problem in the form that editors jump to, with its line.
func (p Problem) String() string {
	var b strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&b, "%s:%d:%d: ", p.File, p.Line, p.Column)
	}
	text := p.Text
	if p.Path != "" {
		text = p.Path + ": " + text
	}
	// A value in the text may have line breaks.
	b.WriteString(strings.ReplaceAll(text, "\n", `\n`))
	if p.Excerpt != "" {
		b.WriteString("\n" + p.Excerpt)
	}
	return b.String()
}
