package paginate

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"sluice/source/config"
)

// tooRecent is how old a start_time must be to be asked for.
const tooRecent = 6 * time.Minute

// newZendesk makes [responseURL] for Zendesk's incremental exports, whose last page
// has a next address too: it asks for what was changed since that page, and is
// refused while its start_time is too recent. The job ends where start_time is
// within the last six minutes, as it does in the dialect (the API itself refuses
// the last minute, and the last five in older versions); what changes from then
// on is the next run's. An address without a readable start_time is followed.
func newZendesk(o *config.Object, _ Env, _ *config.Problems) Method {
	m := decodeResponseURL(o)
	m.ends = func(address string, at time.Time) bool {
		start, ok := startTime(address)
		return ok && at.Sub(start) < tooRecent
	}
	return m
}

// startTime reads the parameter start_time of an address, or of a query.
func startTime(address string) (time.Time, bool) {
	_, query, found := strings.Cut(address, "?")
	if !found {
		query = address
	}
	query, _, _ = strings.Cut(query, "#")
	values, _ := url.ParseQuery(query) // what of it can be read
	seconds, err := strconv.ParseInt(values.Get("start_time"), 10, 64)
	return time.Unix(seconds, 0), err == nil
}
