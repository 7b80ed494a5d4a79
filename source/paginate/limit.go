package paginate

import (
	"regexp"
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

// capped matches a page size that people choose: 1, 2, 2.5 or 5 times a power of ten, from 10.
var capped = regexp.MustCompile(`^([125]0|25)0*$`)
