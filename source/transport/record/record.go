// Package record writes HTTP traffic to a folder, secrets removed, and answers from such a folder: each is an
// [http.RoundTripper] around the network.
//
// A recording has a file for each exchange, numbered as they began:
//
//	> POST https://api.example.com/v1/search?token=[secret]
//	> Content-Type: application/json
//	> X-Api-Key: [secret]
//	>
//	> {"user":"[secret]","limit":20}
//	< 200 OK
//	< Content-Type: application/json
//	= whole
//
//	{"items":[…
//
// After the empty line stands the body, decoded, and a line break. "= short" says that it was not read to its end.
// Where there is no answer, a line with ! says why, !! if another attempt would be in vain, !? if the address has taken
// no connection so far. Of the answer's headers
// only those are there that this program reads.
package record

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/secret"
	"sluice/source/request"
)

const (
	headFile    = "recording.json"
	exchangeExt = ".http"
)

// A Head is what holds for all exchanges of a recording.
type Head struct {
	Version   string    `json:"version"`
	StartedAt time.Time `json:"startedAt"`

	// As source.Options has them.
	PreviousStarts map[string]int64 `json:"previousStarts,omitzero"`

	Lasts map[string]map[string]json.RawMessage `json:"lasts,omitempty"`

	Most map[string]int `json:"most,omitempty"`

	// With the salt of their hashes.
	Parents json.RawMessage `json:"parents,omitempty"`
}

// ExchangeDetails are what a round tripper of this package is told beside the request itself, and what it tells.
type ExchangeDetails struct {
	pipeline.Call

	// Signed, as it was encoded.
	Request *request.Request

	// Of the answer, that are read.
	Headers []string

	// Tells whether another one is read, but of logins; nil: none is.
	Also func(header, value string) bool

	// Where the answer redirects to, for people; set before its body is closed.
	Location string

	// Warning is what people must know about the recording, set when the body is closed; empty: nothing.
	Warning string
}

// An Error says why there is no answer, or not all of one. Round trippers and bodies return no other.
type Error struct {
	// For people, without secrets.
	Text string

	// Another attempt would end the same way.
	Lasting bool

	// The address refuses connections, and has taken none so far: few other attempts are worth it.
	Unheard bool

	// May be nil.
	Err error
}

func (e *Error) Error() string { return e.Text }
func (e *Error) Unwrap() error { return e.Err }

// exchangeFiles returns the names of the files with exchanges, in order.
func exchangeFiles(dir string) []string {
	// Its only error is that of a wrong pattern.
	files, _ := fs.Glob(os.DirFS(dir), "*"+exchangeExt)
	return files
}

// body is the body of h, without secrets.
func (e *ExchangeDetails) body(h *http.Request, s *secret.Set) string {
	if h.Body == nil || h.Body == http.NoBody {
		return ""
	}
	return e.Request.RedactedBody(s)
}
