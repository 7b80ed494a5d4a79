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
	dataType string // for messages
	file     *os.File
}

func (s *spool) create() (err error) {
	if s.file != nil {
		return nil
	}
	s.file, err = pipeline.Nameless("")
	return s.explain(err)
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
	return s.explain(err)
}

// read goes back to the first row.
func (s *spool) read() (*s2.Reader, error) {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, s.explain(err)
	}
	return s2.NewReader(bufio.NewReader(s.file), s2.ReaderMaxBlockSize(blockSize)), nil
}

func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close() // it was read, or is not wanted
		s.file = nil
	}
}

// explain says what the file is for.
func (s *spool) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF):
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%w, or name the columns with --columns", target.TempError("the temporary file for the rows of "+s.dataType, err))
}
