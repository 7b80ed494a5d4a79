package sink

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/klauspost/compress/s2"

	"sluice/pipeline"
	"sluice/sink/target"
)

// blockSize is of the items that are compressed at a time.
const blockSize = 256 << 10

// A spool keeps the items of one output in a compressed file without a name. Each write is
// a stream of its own, so between two writes it holds no memory.
type spool struct {
	// For messages.
	dataType string

	file *os.File
}

func (s *spool) create() (err error) {
	if s.file == nil {
		s.file, err = pipeline.Nameless("")
	}
	return s.explain(err)
}

// write appends items, one a line. The compressor is shared by all spools.
func (s *spool) write(c *s2.Writer, items []byte) error {
	if err := s.create(); err != nil {
		return err
	}
	c.Reset(s.file)
	err := c.EncodeBuffer(items)
	if err == nil {
		err = c.Close()
	}
	return s.explain(err)
}

// read returns all items, from the first on.
func (s *spool) read() (*bufio.Scanner, error) {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, s.explain(err)
	}
	items := bufio.NewScanner(s2.NewReader(bufio.NewReader(s.file), s2.ReaderMaxBlockSize(blockSize)))
	items.Buffer(nil, math.MaxInt)
	return items, nil
}

func (s *spool) close() {
	if s != nil && s.file != nil {
		// The items were read, or nobody wants them.
		_ = s.file.Close()
		s.file = nil
	}
}

// explain says what the file is for.
func (s *spool) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(
		"%w, or name the columns with --columns",
		target.TempError("the temporary file for the rows of "+s.dataType, err),
	)
}
