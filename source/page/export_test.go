package page

import "os"

// SetCreate replaces how d makes its temporary files.
func (d *Decoder) SetCreate(create func() (*os.File, error)) { d.create = create }
