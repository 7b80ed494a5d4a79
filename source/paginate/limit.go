package paginate

import (
	"bytes"
	"strconv"

	"sluice/pipeline"
	"sluice/source/expr"
	"sluice/source/request"
)

// effectiveLimit is the job's parameter called param if that is a positive
// number, with its own digits, else the configured one
// (docs/decisions.md, section 6). ok is false where there is neither.
func effectiveLimit(j *Job, param string, configured int64) (limit int64, value []byte, ok bool) {
	if own := j.Params.Get(param); own != nil {
		if n, isNumber := integer(own); isNumber && n > 0 {
			return n, own, true
		}
	}
	if configured <= 0 {
		return 0, nil, false
	}
	return configured, strconv.AppendInt(nil, configured, 10), true
}

// integer reads a number without a fraction, or a string that holds one.
func integer(value []byte) (int64, bool) {
	d, ok := expr.DecimalOf(value)
	n, isWhole := d.Int()
	return n, ok && isWhole
}

func number(name string, n int64) request.Param {
	return request.Param{Name: name, Value: strconv.AppendInt(nil, n, 10)}
}

// warnOfLongPage warns of a page that is longer than the limit, since the next
// offset then overlaps it.
func warnOfLongPage(out *Outcome, limit int64, items int) {
	if limit > 0 && int64(items) > limit {
		out.warn(pipeline.Unverified, "a page holds %d items where the limit is %d: the API may use another page size, and pages may overlap or leave gaps", items, limit)
	}
}

// warnOfCap warns of a first page that looks cut by a cap of the server's own:
// paging ends there although more may be to be had.
func warnOfCap(out *Outcome, limit int64, items int) {
	if n := int64(items); n < limit && looksLikeCap(n) {
		out.warn(pipeline.Unverified, "the first page holds exactly %d items where the limit is %d: if the API gives no more than %d at a time, set the limit to %d", n, limit, n, n)
	}
}

// looksLikeCap tells whether n is a page size that people choose: 1, 2, 2.5 or 5
// times a power of ten, from 10 on.
func looksLikeCap(n int64) bool {
	digits := bytes.TrimRight(strconv.AppendInt(nil, n, 10), "0")
	switch string(digits) {
	case "1", "2", "5", "25":
		return n >= 10
	}
	return false
}
