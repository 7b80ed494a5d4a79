package s3

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"sluice/pipeline"
)

// A part is what is not uploaded yet of an object: a file that has no name any
// more, so that nothing is left of it whatever happens.
type part struct {
	file *os.File
	of   string // the object, for messages
	size int64
}

func newPart(dir, of string) (*part, error) {
	p := &part{of: of}
	var err error
	if p.file, err = pipeline.Nameless(dir); err != nil {
		return nil, p.explain(dir, err)
	}
	return p, nil
}

func (p *part) write(text []byte) error {
	n, err := p.file.Write(text)
	p.size += int64(n)
	if err != nil {
		return p.explain("", err)
	}
	return nil
}

// reader returns the whole part, to be read any number of times.
func (p *part) reader() io.ReadSeeker { return io.NewSectionReader(p.file, 0, p.size) }

func (p *part) close() { _ = p.file.Close() } // it was read, or is not wanted

// explain names what the file is for in place of its name, which is gone.
func (p *part) explain(dir string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if dir == "" {
		dir = os.TempDir()
	}
	return fmt.Errorf("%s: the temporary file for a part of it in %s: %w; set TMPDIR to a folder with more room", p.of, dir, err)
}
