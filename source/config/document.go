package config

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// A Document is what a configuration says, as far as it concerns every run. Parts of it stay nodes: they are
// compiled by those who know what expressions may refer to there. Nodes are nil if they are absent.
type Document struct {
	// BaseURL is a string or an expression.
	BaseURL *Node

	// Headers are api.http.headers and config.http.headers, weakest first; each may be nil.
	Headers []*Node

	// These are of api.http.defaultOptions.
	DefaultHeaders, DefaultMethod, DefaultParams *Node

	// These are PEM, or expressions.
	CACertificate, ClientCertificate *Node

	Authentication, Pagination *Node

	// Authorization holds the credentials of OAuth, at the document's root.
	Authorization *Node

	// AWS is how every request is signed.
	AWS *Node

	// UserData are members that the items of all root jobs get.
	UserData *Node

	OutputBucket *Node

	// Arrays and Booleans are how queries and forms write them; empty: the document does not say so.
	Arrays, Booleans string

	// MaxRetries are attempts after the first; 0: none.
	MaxRetries int

	// RetryCodes are statuses that are retried; nil: the usual ones.
	RetryCodes []int

	// RetryHeader is the header of an answer that says how long to wait.
	RetryHeader string

	// RequiredHeaders are names.
	RequiredHeaders []*Node

	// IgnoreErrors are statuses whose answers are used as data.
	IgnoreErrors []int

	// Conditions are arrays of conditions about an answer, by the names of their members.
	Conditions map[string]*Node

	// Rates are how many requests the API allows; all hold at once.
	Rates []Rate

	// HTTPVersion is 1.1, 2, auto, or empty, which is 1.1.
	HTTPVersion string

	ConnectTimeout time.Duration

	// RequestTimeout is the longest time without a byte.
	RequestTimeout time.Duration

	Jobs  []Job
	Debug bool

	// Incremental only shows in the report.
	Incremental bool

	// CompatLevel 1 and 2 are older behaviour of the dialect.
	CompatLevel int64

	// Fingerprint is of the whole document, the values of secrets left out.
	Fingerprint string

	// Iteration is one of its entry of iterations; empty: there are none.
	Iteration string

	// AllowedHosts are strings, the hosts or addresses that requests may go to; empty: all.
	AllowedHosts []*Node

	// The path of the section api; empty: there is none.
	apiPath string

	// The section config.
	attributes *Node

	// Its members, for [Document.Attribute].
	values map[string]jsontext.Value
}

// Attribute returns the attribute called path, or else the one that the walk along its dots leads to. It is
// secret if a name on the way starts with '#'.
func (d *Document) Attribute(path string) (value jsontext.Value, secret, ok bool) {
	value = d.values[path]
	if value == nil {
		first, rest, deeper := strings.Cut(path, ".")
		value = d.values[first]
		if deeper {
			value = item.Lookup(value, strings.Split(rest, "."))
		}
	}
	secret = strings.Contains("."+path, ".#")
	return value, secret, item.Kind(value) != 'n'
}
