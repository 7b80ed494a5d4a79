package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source"
)

// errOtherForm tells of a state that the program has not written so.
var errOtherForm = errors.New("a state of another form")

// A stateReader reads a state piece by piece, whose parents never stand in memory as they are written. What has not the
// form that the program writes is left to who reads all at once.
type stateReader struct {
	decoder *jsontext.Decoder

	// What was read, without the parents.
	rest []byte

	// By the id of the job.
	parents map[string]*source.ParentsReader

	// Of parents that a run has found: those that it began with may be there again.
	found map[string]*source.Parents

	// Is reused.
	values jsontext.Value
}

// readStates reads a state that the program may have written.
func readStates(from io.Reader, found map[string]*source.Parents) (*states, error) {
	r := &stateReader{
		decoder: jsontext.NewDecoder(from, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
		parents: map[string]*source.ParentsReader{},
		found:   found,
	}
	err := r.object("jobs", func() error { return r.each(r.job) })
	if err != nil {
		return nil, err
	}
	if _, err := r.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errOtherForm
	}
	return r.states()
}

// states is what was read.
func (r *stateReader) states() (*states, error) {
	there := &states{}
	err := there.parse(r.rest)
	if err != nil {
		return nil, err
	}
	for id, read := range r.parents {
		parents := there.Jobs[id].Parents
		if parents == nil || !read.Into(parents) {
			return nil, errOtherForm
		}
	}
	return there, nil
}

// parse reads the whole text of a state.
func (s *states) parse(text []byte) error {
	err := json.Unmarshal(text, s)
	isEmpty := s.Time == nil && s.Jobs == nil
	if err == nil && isEmpty && !bytes.Equal(bytes.TrimSpace(text), []byte("{}")) {
		err = errors.New("it has neither jobs nor time")
	}
	return err
}

func (r *stateReader) job(id string) error {
	return r.object("parents", func() error {
		return r.object("seen", func() error {
			r.rest = append(r.rest, "{}"...)
			return r.seen(source.NewParentsReader(r.found[id]), id)
		})
	})
}

// seen reads the parents of a job.
func (r *stateReader) seen(into *source.ParentsReader, id string) error {
	r.parents[id] = into
	return r.members(func(run string) error {
		return r.members(func(name string) error {
			value, err := r.decoder.ReadValue()
			if err != nil {
				return err
			}
			r.values = append(r.values[:0], value...)
			if err := r.values.Compact(); err != nil {
				return err
			}
			return into.Add(run, name, r.values)
		})
	})
}

// each reads an object, whose members are all of one kind. It has no name twice.
func (r *stateReader) each(read func(name string) error) error {
	names := map[string]bool{}
	r.rest = append(r.rest, '{')
	err := r.members(func(name string) error {
		if names[name] {
			return errOtherForm
		}
		if len(names) > 0 {
			r.rest = append(r.rest, ',')
		}
		names[name] = true
		r.rest = append(item.AppendQuote(r.rest, name), ':')
		return read(name)
	})
	r.rest = append(r.rest, '}')
	return err
}

// object reads an object of which one member is read otherwise, if it is an object.
func (r *stateReader) object(special string, read func() error) error {
	return r.each(func(name string) error {
		isSpecial := name == special
		if !isSpecial && strings.EqualFold(name, special) {
			return errOtherForm
		}
		if isSpecial && r.decoder.PeekKind() == '{' {
			return read()
		}
		value, err := r.decoder.ReadValue()
		r.rest = append(r.rest, value...)
		return err
	})
}

// members reads an object.
func (r *stateReader) members(read func(name string) error) error {
	if r.decoder.PeekKind() != '{' {
		return errOtherForm
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return err
	}
	for r.decoder.PeekKind() == '"' {
		name, err := r.decoder.ReadToken()
		if err != nil {
			return err
		}
		if err := read(name.String()); err != nil {
			return err
		}
	}
	_, err := r.decoder.ReadToken()
	return err
}

// write writes the state as package json does, its parents piece by piece.
func (s *states) write(w io.Writer) error {
	head, err := json.Marshal(states{Time: s.Time, Jobs: map[string]jobState{}})
	if err != nil {
		return err
	}
	text := head[:len(head)-len("}}")]
	for i, id := range slices.Sorted(maps.Keys(s.Jobs)) {
		if i > 0 {
			text = append(text, ',')
		}
		text, err = s.writeJob(w, text, id)
		if err != nil {
			return err
		}
	}
	_, err = w.Write(append(text, "}}"...))
	return err
}

// writeJob appends a job to a text, or writes the text and the beginning of the job, and returns what is still to be
// written.
func (s *states) writeJob(w io.Writer, text []byte, id string) ([]byte, error) {
	name, err := json.Marshal(id)
	if err != nil {
		return nil, err
	}
	job := s.Jobs[id]
	parents := job.Parents
	job.Parents = nil
	rest, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	text = append(append(append(text, name...), ':'), rest...)
	if parents == nil {
		return text, nil
	}
	text = append(text[:len(text)-len("}")], `,"parents":`...)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	return append(text[:0], '}'), parents.Write(w)
}

// A limited counts what is written, and takes no more than so much.
type limited struct {
	left int
	full error
}

func (l *limited) Write(p []byte) (int, error) {
	l.left -= len(p)
	if l.left < 0 {
		return 0, l.full
	}
	return len(p), nil
}
