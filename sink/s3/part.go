package s3

import (
	"io"
	"os"
	"sync/atomic"

	"sluice/pipeline"
	"sluice/sink/target"
)

// A pendingPart is what is not uploaded yet of an object, in a file without a name.
type pendingPart struct {
	file *os.File

	// Its URI, for messages.
	object string

	size int64
}

func newPart(object string) (*pendingPart, error) {
	file, err := pipeline.Nameless("")
	p := &pendingPart{file: file, object: object}
	return p, p.explain(err)
}

func (p *pendingPart) write(text []byte) error {
	n, err := p.file.Write(text)
	p.size += int64(n)
	return p.explain(err)
}

// reader returns the whole part, to be read any number of times.
func (p *pendingPart) reader() *partReader {
	return &partReader{SectionReader: io.NewSectionReader(p.file, 0, p.size)}
}

// A partReader knows whether all of a part has been read: the server may have it then.
type partReader struct {
	*io.SectionReader
	whole atomic.Bool
}

func (r *partReader) Read(p []byte) (int, error) {
	n, err := r.SectionReader.Read(p)
	// Which cannot fail.
	at, _ := r.SectionReader.Seek(0, io.SeekCurrent)
	r.whole.Store(at == r.Size())
	return n, err
}

// Seek is called between the reading for the signature and that for the request.
func (r *partReader) Seek(offset int64, whence int) (int64, error) {
	r.whole.Store(false)
	return r.SectionReader.Seek(offset, whence)
}

// It was read, or is not wanted.
func (p *pendingPart) close() { _ = p.file.Close() }

func (p *pendingPart) explain(err error) error {
	return target.TempError(p.object+": the temporary file for a part of it", err)
}
