package page

import (
	"sluice/source/config"
	"sluice/source/page/markup"
)

// A Format is how an answer is written; nil is JSON.
type Format struct {
	Name string

	// The header that asks for it; empty: the usual one.
	Accept string

	features features

	// Between two values of a row, where the format has rows.
	delimiter string

	// How XML becomes JSON.
	mapping markup.Options
}

// usual is the format of answers where the configuration names none.
const usual = "json"

// An answerShape is what an answer consists of. It says what can be asked of the answers of a format.
type answerShape uint8

const (
	// One document: its items stand within it, and other members around them, to which paths lead.
	document answerShape = iota
	// Lines, each of which is an item, or a document of its own.
	lines
	// Rows, each of which is an item: there is nothing else, and so no paths.
	table
)

// Features are what a format has, whatever its options are.
type features struct {
	// For the schema.
	doc string

	// As Format.Accept.
	accept string

	shape answerShape

	// It reads the body of an answer.
	read func(*bodyReading) error

	// It decodes what the format has beside its name; nil: nothing.
	options func(*Format, *config.ObjectDecoder, *config.Problems)

	// Tells whether a text that is not in the usual format may be in this one, and what it is then; nil: it is not asked.
	resembles func(text []byte) bool
	likeness  string

	// Says where the items of such a text may be; nil: nothing.
	places func(begin []byte) string

	// It makes one JSON value of a whole text; nil: the text is JSON.
	value func(f *Format, text []byte) []byte
}

// shape is that of the answers; of nil that of the usual one.
func (f *Format) shape() answerShape {
	if f == nil {
		return document
	}
	return f.features.shape
}

// Usual tells whether answers are read so where the configuration names no format, as those are that tell of an error.
func (f *Format) Usual() bool { return f == nil || f.Name == usual }

// Document tells whether an answer is one document: members stand around its items, and all of it may be one item.
func (f *Format) Document() bool { return f.shape() == document }

// Lines tells whether each line of an answer is judged for itself.
func (f *Format) Lines() bool { return f.shape() == lines }

// Mapped tells whether the JSON of an answer is made of elements, of which a name that comes again is a list.
func (f *Format) Mapped() bool { return f != nil && f.features.value != nil }

// Paths tells whether an answer has paths that can lead to its items.
func (f *Format) Paths() bool { return f.shape() != table }
