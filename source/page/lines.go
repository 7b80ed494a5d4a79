package page

import (
	"bytes"
	"errors"
	"io"
)

// lines gives the text of a body line after line. Its window grows with what it must
// hold: the text at hand and what was read beyond.
type lines struct {
	body     *body
	window   []byte
	from, to int   // the text at hand, in window
	filled   int   // of window
	given    int64 // of the body, before window
	number   int   // of the last line of the text at hand
}

// next returns the next line with its line break, which the last one may lack; after
// that it is io.EOF. The text is valid until next or more is called.
func (l *lines) next() ([]byte, error) {
	l.from = l.to
	return l.more()
}

// more returns the text at hand with one line more.
func (l *lines) more() ([]byte, error) {
	for seen := l.to - l.from; ; {
		if n := bytes.IndexByte(l.window[l.from+seen:l.filled], '\n'); n >= 0 {
			l.to = l.from + seen + n + 1
			break
		}
		seen = l.filled - l.from
		err := l.fill()
		if err == nil {
			continue
		}
		if !errors.Is(err, io.EOF) || l.body.failure() != nil || l.to == l.filled {
			return nil, err
		}
		l.to = l.filled
		break
	}
	l.number++
	return l.window[l.from:l.to], nil
}

// fill reads a part of the body.
func (l *lines) fill() error {
	if l.from > 0 {
		l.given += int64(l.from)
		l.filled, l.to = copy(l.window, l.window[l.from:l.filled]), l.to-l.from
		l.from = 0
	}
	if l.filled == len(l.window) {
		l.window = append(l.window, make([]byte, max(window, len(l.window)))...)
	}
	n, err := l.body.Read(l.window[l.filled:])
	l.filled += n
	return err
}

// InputOffset is where in the body the text at hand begins.
func (l *lines) InputOffset() int64 { return l.given + int64(l.from) }
