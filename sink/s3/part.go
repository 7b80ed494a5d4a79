package s3

import (
	"io"
	"os"

	"sluice/pipeline"
	"sluice/sink/target"
)

// A part is what is not uploaded yet of an object: a file that has no name any
// more, so that nothing is left of it whatever happens.
type part struct {
	file   *os.File
	dir    string
	object string // its URI, for messages
	size   int64
}

func newPart(dir, object string) (*part, error) {
	p := &part{dir: dir, object: object}
	var err error
	if p.file, err = pipeline.Nameless(dir); err != nil {
		return nil, p.explain(err)
	}
	return p, nil
}

func (p *part) write(text []byte) error {
	n, err := p.file.Write(text)
	p.size += int64(n)
	if err != nil {
		return p.explain(err)
	}
	return nil
}

// reader returns the whole part, to be read any number of times.
func (p *part) reader() io.ReadSeeker { return io.NewSectionReader(p.file, 0, p.size) }

func (p *part) close() { _ = p.file.Close() } // it was read, or is not wanted

func (p *part) explain(err error) error {
	return target.TempError(p.object+": the temporary file for a part of it", p.dir, err)
}
