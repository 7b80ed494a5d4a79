package paginate

import (
	"bytes"
	"strconv"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// effectiveLimit is the job's own limit, with its digits, else the configured one (docs/decisions.md, section 6).
func effectiveLimit(j *Job, at item.Path, configured int64) (limit int64, value []byte) {
	own := j.own(at)
	if n, ok := integer(own); ok && n > 0 {
		return n, own
	}
	if configured <= 0 {
		return 0, nil
	}
	return configured, strconv.AppendInt(nil, configured, 10)
}

// positive reads an option that must be a positive number; 0 is none.
func positive(o *config.Object, p *config.Problems, name, doc string) int64 {
	v, n := o.Int(name, 0, doc)
	if n != nil && v <= 0 {
		p.Errorf(n, "must be positive")
	}
	return v
}

// integer reads a number without a fraction, or a string that holds one.
func integer(value []byte) (int64, bool) {
	d, ok := item.DecimalOf(value)
	if !ok {
		return 0, false
	}
	return d.Int()
}

// looksLikeCap tells whether people choose such a page size: 1, 2, 2.5 or 5 times a power of ten, from 10.
func looksLikeCap(n int64) bool {
	digits := bytes.TrimRight(strconv.AppendInt(nil, n, 10), "0")
	switch string(digits) {
	case "1", "2", "5", "25":
		return n >= 10
	}
	return false
}
