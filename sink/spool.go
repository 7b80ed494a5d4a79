package sink

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/klauspost/compress/s2"

	"sluice/pipeline"
)

const (
	blockSize = 256 << 10 // of rows that are compressed at a time
	headSize  = 4         // before a block: its compressed size
)

// A spool keeps the rows of one output in a compressed file that has no name any
// more, so that nothing is left of it whatever happens. Between two writes it
// holds no memory.
type spool struct {
	dir  string
	of   string // data type, for messages
	file *os.File
}

func (s *spool) create() error {
	if s.file != nil {
		return nil
	}
	f, err := pipeline.Nameless(s.dir)
	if err != nil {
		return s.because(err)
	}
	s.file = f
	return nil
}

// write appends rows, and returns the buffer for the next write of any spool.
func (s *spool) write(block, rows []byte) ([]byte, error) {
	if len(rows) == 0 {
		return block, nil
	}
	if err := s.create(); err != nil {
		return block, err
	}
	if need := headSize + s2.MaxEncodedLen(blockSize); cap(block) < need {
		block = make([]byte, need)
	}
	block = block[:cap(block)]
	for chunk := range slices.Chunk(rows, blockSize) {
		packed := s2.Encode(block[headSize:], chunk)
		binary.BigEndian.PutUint32(block, uint32(len(packed)))
		if _, err := s.file.Write(block[:headSize+len(packed)]); err != nil {
			return block, s.because(err)
		}
	}
	return block, nil
}

// read goes back to the first row.
func (s *spool) read() (*bufio.Reader, error) {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, s.because(err)
	}
	return bufio.NewReader(&blocks{from: bufio.NewReader(s.file)}), nil
}

func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	if err := f.Close(); err != nil {
		return s.because(err)
	}
	return nil
}

// because names what the file is for in place of its name, which is gone.
func (s *spool) because(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	dir := s.dir
	if dir == "" {
		dir = os.TempDir()
	}
	return fmt.Errorf("the temporary file for the rows of %s in %s: %w; set TMPDIR to a folder with more room, or name the columns with --columns", s.of, dir, err)
}

// blocks reads a spool's blocks as one text.
type blocks struct {
	from   *bufio.Reader
	head   [headSize]byte
	packed []byte
	buffer []byte
	text   []byte // what is left of the block
}

func (b *blocks) Read(p []byte) (int, error) {
	for len(b.text) == 0 {
		if _, err := io.ReadFull(b.from, b.head[:]); err != nil {
			return 0, err
		}
		b.packed = slices.Grow(b.packed[:0], s2.MaxEncodedLen(blockSize))[:binary.BigEndian.Uint32(b.head[:])]
		if _, err := io.ReadFull(b.from, b.packed); err != nil {
			return 0, err
		}
		var err error
		if b.buffer, err = s2.Decode(b.buffer[:cap(b.buffer)], b.packed); err != nil {
			return 0, err
		}
		b.text = b.buffer
	}
	n := copy(p, b.text)
	b.text = b.text[n:]
	return n, nil
}
