package sink

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/s2"

	"sluice/pipeline"
	"sluice/sink/target"
)

// blockSize is of the rows that are compressed at a time.
const blockSize = 256 << 10

// A spool keeps the rows of one output in a compressed file that has no name any
// more, so that nothing is left of it whatever happens. Each write is a stream
// of its own, so between two writes it holds no memory.
type spool struct {
	dir      string
	dataType string // for messages
	file     *os.File
}

// newSpoolWriter returns what compresses the rows of all spools, one after the other.
func newSpoolWriter() *s2.Writer {
	return s2.NewWriter(nil, s2.WriterConcurrency(1), s2.WriterBlockSize(blockSize))
}

func (s *spool) create() (err error) {
	if s.file != nil {
		return nil
	}
	if s.file, err = pipeline.Nameless(s.dir); err != nil {
		return s.explain(err)
	}
	return nil
}

// write appends rows. The compressor is shared by all spools.
func (s *spool) write(c *s2.Writer, rows []byte) error {
	if len(rows) == 0 {
		return nil
	}
	if err := s.create(); err != nil {
		return err
	}
	c.Reset(s.file)
	err := c.EncodeBuffer(rows)
	if err == nil {
		err = c.Close()
	}
	if err != nil {
		return s.explain(err)
	}
	return nil
}

// read goes back to the first row.
func (s *spool) read() (*s2.Reader, error) {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, s.explain(err)
	}
	return s2.NewReader(bufio.NewReader(s.file), s2.ReaderMaxBlockSize(blockSize)), nil
}

func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	if err := f.Close(); err != nil {
		return s.explain(err)
	}
	return nil
}

// explain says what the file is for.
func (s *spool) explain(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%w, or name the columns with --columns", target.TempError("the temporary file for the rows of "+s.dataType, s.dir, err))
}
