package report

import (
	"bytes"
	"encoding/json"
)

// An OutputColumn is one of an output: of CSV its name in the header, of NDJSON a member that items have at their top.
type OutputColumn struct {
	Name string

	// Of the values that items have there, the last one of a repeated member; nil: of CSV.
	Kinds *KindCounts
}

// KindCounts are how many values of each kind of JSON there are. Integer are those numbers without fraction and
// exponent that 64 bits hold, Number all others.
type KindCounts struct {
	String  int64 `json:"string,omitempty"`
	Integer int64 `json:"integer,omitempty"`
	Number  int64 `json:"number,omitempty"`
	Boolean int64 `json:"boolean,omitempty"`
	Null    int64 `json:"null,omitempty"`
	Object  int64 `json:"object,omitempty"`
	Array   int64 `json:"array,omitempty"`
}

// Header are the columns of CSV with that header; of none it returns nil.
func Header(names []string) (all []OutputColumn) {
	for _, name := range names {
		all = append(all, OutputColumn{Name: name})
	}
	return all
}

// An itemColumn is a column of NDJSON as the report has it.
type itemColumn struct {
	Name  string      `json:"name"`
	Kinds *KindCounts `json:"kinds"`
}

// MarshalJSON implements json.Marshaler: a column of CSV is its name.
func (c OutputColumn) MarshalJSON() ([]byte, error) {
	var value any = c.Name
	if c.Kinds != nil {
		value = itemColumn(c)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	// Whoever encodes the report says whether they are.
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return text.Bytes(), err
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *OutputColumn) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &c.Name)
	}
	return json.Unmarshal(text, (*itemColumn)(c))
}
