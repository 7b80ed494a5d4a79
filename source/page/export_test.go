package page

import "os"

// SetCreate replaces how d makes its temporary files.
func (d *Decoder) SetCreate(create func() (*os.File, error)) { d.create = create }

// SetScan has the scan take over behind so many bytes of items, and gives it a window; negative: it never does.
func (d *Decoder) SetScan(after int64, window int) { d.scanned, d.window = after, window }
