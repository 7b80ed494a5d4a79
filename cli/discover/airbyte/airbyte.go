// Package airbyte makes a configuration of a low-code manifest of Airbyte: of each stream a job, or the reason why
// there is none. Nothing is asked of any API, and nothing is guessed: what the conversion has not looked at is named.
package airbyte

import (
	"time"

	"sluice/cli/discover/airbyte/convert"
)

// An Input is what is converted.
type Input struct {
	// Manifest is the text of a declarative manifest, YAML or JSON.
	Manifest []byte

	// Values is the user's configuration of the connector as JSON; nil: what the manifest's spec has as defaults.
	Values []byte

	// Streams are the names of those that are wanted; none: all.
	Streams []string

	// Now is the time of the conversion. What it decides is said in the notes.
	Now time.Time

	// Check says what is wrong with a configuration, whose attributes may be missing; nil: nothing ever is.
	Check func(configuration []byte) error
}

// A Translation is what became of a manifest.
type Translation struct {
	// Configuration is the text of one, indented; nil: no stream could be converted.
	Configuration []byte

	// Program is one of jq that does of all streams what JQ does of one, whose name is its argument stream; empty: no items
	// are to be changed.
	Program string

	// Streams has each stream that was asked for, in the order of the manifest.
	Streams []StreamOutcome

	// Secrets and Missing are names of attributes that come from outside: those that are secret, and those that have
	// neither a value nor a default.
	Secrets, Missing []string

	// Flags are those that a run of the configuration needs beside, such as --state state.json.
	Flags []string

	// Notes are what a person should know of the whole manifest, such as the flags that its budget of requests becomes.
	Notes []string
}

// A Coverage says how much of a stream the configuration has.
type Coverage string

// How much of a stream is covered, best first.
const (
	// Whole: the items come as they would from the manifest.
	Whole Coverage = "whole"
	// Shaped: the same items, but StreamOutcome.JQ has yet to change them, or the reasons say what they lack.
	Shaped Coverage = "shaped"
	// Superset: all the items, and others that the manifest would have left out.
	Superset Coverage = "superset"
	// Refused: there is no job for the stream.
	Refused Coverage = "refused"
)

// A StreamOutcome is what became of a stream.
type StreamOutcome struct {
	Stream  string   `json:"stream"`
	Verdict Coverage `json:"verdict"`
	Reasons []Reason `json:"reasons,omitempty"`

	// File is the name of the file with the items below a folder, without its ending; empty: there is none.
	File string `json:"file,omitempty"`

	// JQ is the filter that makes the items what the manifest says; empty: they are.
	JQ string `json:"jq,omitempty"`
}

// A Reason is why a stream is not whole.
type Reason = convert.Reason
