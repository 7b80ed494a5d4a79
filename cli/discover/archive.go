package discover

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"sluice/cli/discover/withhold"
	"sluice/pipeline/item"
	"sluice/pipeline/secret"
)

// An Archive is what a browser has written down: requests and their answers, in the format HAR.
type Archive struct {
	// Lists are the requests whose answers hold lists, in their order.
	Lists []Recorded

	// LeftOut says of requests whose answers hold lists why they are none of these.
	LeftOut []string

	// known are all answers.
	known []recordedAnswer

	// taken are the configurations of the lists.
	taken map[string]bool
}

// A Recorded is a request of an archive.
type Recorded struct {
	// API is what the request says.
	*Description

	// Method and Address are for people, without secrets.
	Method, Address string

	// Items is how many elements the longest list of the answer has.
	Items int
}

// archiveEntry is what an archive has of a request and its answer.
type archiveEntry struct {
	Request struct {
		Method   string `json:"method"`
		URL      string `json:"url"`
		Headers  fields `json:"headers"`
		PostData struct {
			Text   string `json:"text"`
			Params fields `json:"params"`
		} `json:"postData"`
	} `json:"request"`
	Response struct {
		Status  int    `json:"status"`
		Headers fields `json:"headers"`
		Content struct {
			Text     string `json:"text"`
			Encoding string `json:"encoding"`
		} `json:"content"`
	} `json:"response"`
}

// fields are names with values.
type fields []struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ReadArchive reads the text of one. Its errors show no value.
func ReadArchive(text []byte) (*Archive, error) {
	var document struct {
		Log struct {
			Entries []archiveEntry `json:"entries"`
		} `json:"log"`
	}
	// Some browsers on Windows write it.
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if json.Unmarshal(text, &document) != nil || document.Log.Entries == nil {
		return nil, errors.New("this is no HAR, which has log.entries: " +
			"save it with the developer tools of a browser, with the contents of answers")
	}
	a := &Archive{taken: map[string]bool{}}
	for i, e := range document.Log.Entries {
		if err := a.take(e); err != nil {
			a.LeftOut = append(a.LeftOut, fmt.Sprintf("log.entries[%d]: %v", i, err))
		}
	}
	if len(a.Lists) == 0 && len(a.LeftOut) > 0 {
		return nil, errors.New(a.LeftOut[0])
	}
	if len(a.Lists) == 0 {
		return nil, errors.New("no answer in it holds a list as JSON: " +
			"let the page show the data while the developer tools are open, and save it with the contents of answers")
	}
	for _, l := range a.Lists {
		l.known = a.known
	}
	return a, nil
}

// Choose is the API of one of the lists. Offline, it goes by what the archive has, and sends nothing.
func (a *Archive) Choose(index int, offline bool) *Description {
	chosen := a.Lists[index].Description
	chosen.offline = offline
	return chosen
}

// take takes a request if its answer is JSON. The error says why one is not taken whose answer holds a list.
func (a *Archive) take(e archiveEntry) error {
	body := []byte(e.Response.Content.Text)
	if e.Response.Content.Encoding == "base64" {
		body, _ = base64.StdEncoding.DecodeString(e.Response.Content.Text)
	}
	if e.Response.Status < 200 || e.Response.Status >= 300 || !json.Valid(body) {
		return nil
	}
	compact, _ := item.Compact(nil, body)
	items := longestList(compact, 0)
	if err := tooLong(e.Request.URL); err != nil {
		if items == 0 {
			return nil
		}
		return err
	}
	a.known = append(a.known, e.recording(body))
	if items == 0 {
		return nil
	}
	api, err := e.api()
	if err != nil {
		return err
	}
	configuration := string(api.Configuration(Observed{}))
	if a.taken[configuration] {
		return nil
	}
	a.taken[configuration] = true
	a.Lists = append(a.Lists, Recorded{
		Description: api, Method: e.Request.Method, Address: hidden(e.Request.URL), Items: items,
	})
	return nil
}

// recording is the answer under the request that brings it.
func (e *archiveEntry) recording(body []byte) recordedAnswer {
	header := http.Header{}
	for _, f := range e.Response.Headers {
		// The text is no longer packed.
		if !strings.EqualFold(f.Name, "Content-Encoding") && !strings.EqualFold(f.Name, "Content-Length") {
			header.Add(f.Name, f.Value)
		}
	}
	response := http.Response{
		StatusCode: e.Response.Status, Status: http.StatusText(e.Response.Status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, ContentLength: int64(len(body)),
	}
	key := ""
	if u, err := url.Parse(e.Request.URL); err == nil {
		key = keyOf(u, []byte(e.body()))
	}
	return recordedAnswer{key, &triedAnswer{response: response, body: body}}
}

// body is what was sent.
func (e *archiveEntry) body() string {
	form := url.Values{}
	for _, f := range e.Request.PostData.Params {
		form.Add(f.Name, f.Value)
	}
	if e.Request.PostData.Text == "" {
		return form.Encode()
	}
	return e.Request.PostData.Text
}

// api is what the request says.
func (e *archiveEntry) api() (*Description, error) {
	c := &curl{address: e.Request.URL, method: e.Request.Method, header: http.Header{}, isPlain: true}
	for _, f := range e.Request.Headers {
		// HTTP/2 has the address in some of its own.
		isOfHTTP2 := strings.HasPrefix(f.Name, ":")
		if !isOfHTTP2 && f.Value != "" {
			c.header.Add(f.Name, f.Value)
		}
	}
	if body := e.body(); body != "" {
		c.data = []string{body}
	}
	return c.api(nil)
}

// hidden is an address without the secrets in it.
func hidden(address string) string {
	var shown strings.Builder
	for _, piece := range withhold.Address(address) {
		if piece.Name != "" {
			piece.Raw = secret.Hidden
		}
		shown.WriteString(piece.Raw)
	}
	return shown.String()
}

// longestList is how many elements the longest list of objects in a value has, four levels deep at most.
func longestList(value []byte, depth int) int {
	longest := 0
	switch kind := item.Kind(value); {
	case kind == '[':
		for element := range item.Elements(value) {
			if item.Kind(element) == '{' {
				longest++
			}
		}
	case kind == '{' && depth < 4:
		for _, member := range item.Members(value) {
			longest = max(longest, longestList(member, depth+1))
		}
	}
	return longest
}
