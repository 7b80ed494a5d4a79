package paginate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"sluice/pipeline/item"
	"sluice/pipeline/report"
	"sluice/source/evidence"
	"sluice/source/request"
)

// suspect says what is suspicious about the number of items of a walk that ended, or
// went on, after its first page by the method's own rule.
func (p *Paging) suspect(s *State, f *Facts, out *Outcome) {
	follows := p.isLedOn()
	hasPath := follows && f.Values[0] != nil
	out.Led = hasPath || out.Stop == nil
	isFirst := s.Pages == 1 && out.byMethod
	if !isFirst {
		return
	}
	isOnly := out.Stop != nil && f.Array
	_, isSingle := p.method.(single)
	switch {
	case isOnly && isSingle:
		out.Suspicion = s.Asked.numbers().AsMany(f.Items)
	case isOnly && follows && !hasPath:
		out.Suspicion, out.Unled = unled(s.Asked.numbers(), f.Items), true
	default:
		out.Suspicion = p.capped(s, f, out)
	}
}

// unled says what is suspicious about so many items where nothing leads on. Most APIs
// leave out what does on the last page, so fewer than a size that was asked for are
// all.
func unled(asked evidence.Numbers, items int) string {
	if asked.AsksForMore(items) {
		return ""
	}
	return asked.AsMany(items)
}

// capped says that a cap of the server's own may have made a first page short, which
// would end paging although more may be to be had.
func (p *Paging) capped(s *State, f *Facts, out *Outcome) string {
	limit := s.Own.Limit
	isShort := int64(f.Items) < limit && evidence.Round(f.Items)
	if !isShort {
		return ""
	}
	// Pages by number go on where this one is capped, and offsets leave a gap.
	if out.Stop == nil && !p.byOffset() {
		return ""
	}
	return fmt.Sprintf("the first page holds exactly %d items where the limit is %d: "+
		"if the API gives no more than %[1]d at a time, set the limit to %[1]d", f.Items, limit)
}

// weighSuspicion drops the suspicion if the answer proves the end, or has said what
// it is about. Else it says what to do.
func (p *Paging) weighSuspicion(s *State, f *Facts, signs []evidence.Sign, out *Outcome) {
	if out.Suspicion == "" {
		return
	}
	if p.TrustEnd || f.Proves(signs, s.came()) {
		out.Suspicion = ""
		return
	}
	if out.Stop != nil {
		return
	}
	// The walk goes on with a gap, whatever comes.
	out.warn(report.Unverified, "%s", out.Suspicion)
	out.Suspicion = ""
}

// tellCure says what to do where as many items came as were asked for.
func (p *Paging) tellCure(out *Outcome) {
	out.Suspicion += "; if you want just these, set trustEnd; else "
	switch {
	case len(out.Ways) > 0:
		out.Suspicion += "page on with api.pagination " + out.Ways[0].Pagination
	case out.Unled:
		at := evidence.Place(p.Needs.Values[0])
		out.Suspicion += "api.pagination looks for the next page in the wrong place: no answer has " + at
	default:
		out.Suspicion += "page on with api.pagination, such as pagenum or offset"
	}
}

// numbers are those in the address and the parameters of a request.
func (r *Request) numbers() (all evidence.Numbers) {
	_, query, _ := strings.Cut(r.Endpoint, "?")
	query, _, _ = strings.Cut(query, "#")
	for _, p := range request.ParseQuery(query) {
		_, value, _ := strings.Cut(p.Raw, "=")
		all = withNumbers(all, p.Name, item.Quote(request.Unescape(value)), 0)
	}
	for _, p := range r.Params {
		if p.Secret {
			continue
		}
		all = withNumbers(all, p.Name, p.Value, 0)
	}
	return all
}

// withNumbers adds the number that a parameter is, those in an object such as the
// variables of GraphQL, two deep, and the sizes in the text of a query.
func withNumbers(all evidence.Numbers, name string, value []byte, depth int) evidence.Numbers {
	if n, ok := item.Integer(value); ok {
		return append(all, evidence.Number{Name: name, Value: n})
	}
	switch item.Kind(value) {
	case '"':
		for _, found := range sizeInQuery.FindAllStringSubmatch(item.Unquote(value), -1) {
			n, err := strconv.ParseInt(found[2], 10, 64)
			if err == nil && evidence.IsSize(found[1]) {
				all = append(all, evidence.Number{Name: found[1], Value: n})
			}
		}
	case '{':
		if depth == 2 {
			return all
		}
		for member, value := range item.Members(value) {
			all = withNumbers(all, item.Unquote(member), value, depth+1)
		}
	}
	return all
}

// sizeInQuery matches what may be a size in a query, such as first: 50 or LIMIT 50.
var sizeInQuery = regexp.MustCompile(`\b(\w+)(?:\s*:\s*|\s+)(\d+)\b`)
