package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/s2"

	"sluice/pipeline"
	"sluice/pipeline/report"
)

const (
	// magic begins each segment.
	magic = "sluice journal 2\n"
	// segmentSize is where one is cut.
	segmentSize = 16 << 20
	// largestBody is the longest one that is kept.
	largestBody = 64 << 20
	// largestSegment is more than a segment with the largest body has.
	largestSegment = 128 << 20
)

// A segment is the head of a file that is written once and never changed. The file has magic, a line with the length
// and the checksum of the head, the head as JSON, and the answers. Without answers it says that a process begins or
// continues a run, that it publishes now, or that all is visible.
type segment struct {
	// A hash of the run that it belongs to.
	Of uint64 `json:"of"`

	// Of what begins, and of what is visible: whose it is.
	Run json.RawMessage `json:"run,omitempty"`

	// Of what continues.
	Attempts []report.Continuation `json:"attempts,omitempty"`

	// Of what is visible.
	Report json.RawMessage `json:"report,omitempty"`

	Totals  map[string]report.Costs `json:"totals,omitempty"`
	Frames  []frame                 `json:"answers,omitempty"`
	Uploads []BegunUpload           `json:"uploads,omitempty"`
}

// publishes tells whether it says that a process publishes now.
func (s *segment) publishes() bool {
	begins := s.Run != nil || s.Report != nil
	keeps := s.Totals != nil || s.Frames != nil || s.Uploads != nil
	return !begins && !keeps
}

// A BegunUpload is an upload that a process has begun: what it leaves open a later one ends.
type BegunUpload struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}

// A frame says how long an answer is in the file, its line and its body, and what their checksum is.
type frame struct {
	Length int    `json:"length"`
	Sum    uint32 `json:"sum"`
}

// A KeptAnswer is one that was judged good. In a file it is this as a line of JSON, and its body.
type KeptAnswer struct {
	// Page is its address in the tree of walks.
	Page string `json:"page"`
	// Asked is a hash of what was asked, the values of secrets left out.
	Asked  uint64 `json:"asked"`
	Status int    `json:"status"`
	// Header is what is read of it, without secrets.
	Header http.Header `json:"header"`
	// URL was asked for. It is empty if a condition made a page of what was no success.
	URL   string `json:"url,omitempty"`
	Items int    `json:"items"`
	// Began is when the walk did, on the run's clock, and At is when the answer came.
	Began time.Time `json:"began"`
	At    time.Time `json:"at"`
	// Body is compressed by s2.
	Body []byte `json:"-"`

	// Of the attempt under way.
	raw bytes.Buffer

	// This as JSON.
	line []byte
}

// Tee returns a reader that keeps what is read of a body.
func (a *KeptAnswer) Tee(body io.Reader) io.Reader {
	a.raw.Reset()
	return io.TeeReader(body, a)
}

// Write implements [io.Writer].
func (a *KeptAnswer) Write(p []byte) (int, error) {
	if a.raw.Len() <= largestBody {
		a.raw.Write(p)
	}
	return len(p), nil
}

// Pack ends the reading of the body.
func (a *KeptAnswer) Pack() {
	a.Body = nil
	if a.raw.Len() <= largestBody {
		// A clone, since s2 makes room for what cannot be compressed.
		a.Body = bytes.Clone(s2.Encode(nil, a.raw.Bytes()))
	}
	a.raw = bytes.Buffer{}
}

// Reader reads the body again.
func (a *KeptAnswer) Reader() (io.Reader, error) {
	text, err := s2.Decode(nil, a.Body)
	return bytes.NewReader(text), err
}

// key is the same for answers to one request for one page.
func (a *KeptAnswer) key() uint64 { return hash(fmt.Sprintf("%s %d", a.Page, a.Asked)) }

func hash(text string) uint64 { return hashOf([]byte(text)) }

func hashOf(text []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(text)
	return h.Sum64()
}

// checksum is CRC-32C, which notices each flipped bit, and each run of them that is not longer than itself.
func checksum(parts ...[]byte) (sum uint32) {
	for _, part := range parts {
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), part)
	}
	return sum
}

// encode makes the file of a segment with these answers, of which each has its line.
func (s *segment) encode(answers []*KeptAnswer) ([]byte, error) {
	size := 0
	for _, a := range answers {
		f := frame{Length: len(a.line) + len(a.Body), Sum: checksum(a.line, a.Body)}
		s.Frames = append(s.Frames, f)
		size += f.Length
	}
	head, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(len(magic) + len(head) + size + 64)
	fmt.Fprintf(&b, "%s%s\n%s", magic, lengthAndSum(head), head)
	for _, a := range answers {
		b.Write(a.line)
		b.Write(a.Body)
	}
	if b.Len() > largestSegment {
		return nil, fmt.Errorf("a file of %s is more than the journal takes", pipeline.Size(int64(b.Len())))
	}
	return b.Bytes(), nil
}

// lengthAndSum is the second line of a file.
func lengthAndSum(head []byte) string { return fmt.Sprintf("%d %08x", len(head), checksum(head)) }

// unreadable says why a file is no segment.
type unreadable string

func (u unreadable) Error() string { return string(u) }

// decode reads the file of a segment. An answer that does not fit its checksum is nil.
func decode(text []byte) (*segment, []*KeptAnswer, error) {
	if len(text) > largestSegment {
		return nil, nil, unreadable("is no file of a journal, since it is too large")
	}
	rest, ours := bytes.CutPrefix(text, []byte(magic))
	if !ours {
		begin, _, _ := bytes.Cut(text[:min(len(text), 40)], []byte("\n"))
		const text = "begins with %q: this version of sluice reads %q"
		return nil, nil, unreadable(fmt.Sprintf(text, begin, strings.TrimSpace(magic)))
	}
	const longestLine = 40
	line, _, ended := bytes.Cut(rest[:min(len(rest), longestLine)], []byte("\n"))
	digits, _, _ := strings.Cut(string(line), " ")
	length, err := strconv.Atoi(digits)
	if !ended || err != nil || length < 0 {
		return nil, nil, unreadable("is damaged: its second line says nothing about what follows")
	}
	rest = rest[len(line)+1:]
	if length > len(rest) {
		return nil, nil, unreadable("is damaged: it ends within its head")
	}
	head, rest := rest[:length], rest[length:]
	if string(line) != lengthAndSum(head) {
		return nil, nil, unreadable("is damaged: its head does not fit its checksum")
	}
	s := &segment{}
	if err := json.Unmarshal(head, s); err != nil {
		return nil, nil, unreadable("is damaged: its head is not one of a journal: " + err.Error())
	}
	answers := make([]*KeptAnswer, len(s.Frames))
	framed := 0
	for i, f := range s.Frames {
		if f.Length < 0 || f.Length > len(rest) {
			break
		}
		answers[i] = f.decode(rest[:f.Length:f.Length])
		rest = rest[f.Length:]
		framed++
	}
	if framed == len(s.Frames) && len(rest) > 0 {
		return nil, nil, unreadable("is damaged: it has more bytes than its head says")
	}
	return s, answers, nil
}

// decode returns an answer, nil if it does not fit.
func (f frame) decode(text []byte) *KeptAnswer {
	if checksum(text) != f.Sum {
		return nil
	}
	a := &KeptAnswer{}
	line, body, _ := bytes.Cut(text, []byte("\n"))
	if json.Unmarshal(line, a) != nil {
		return nil
	}
	size, err := s2.DecodedLen(body)
	if err != nil || size > largestBody {
		return nil
	}
	a.Body = body
	return a
}
