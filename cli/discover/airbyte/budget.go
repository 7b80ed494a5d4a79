package airbyte

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sluice/cli/discover/airbyte/convert"
	"sluice/cli/discover/airbyte/manifest"
	"sluice/cli/discover/airbyte/times"
)

// dynamic are the streams that only a run of the connector would know: they are refused, each template once.
func (c *work) dynamic() (all []*convert.Stream) {
	for _, n := range c.Document.Root.Get("dynamic_streams").Elements() {
		s := &convert.Stream{At: n, Name: n.Get("name").Text()}
		if s.Name == "" {
			s.Name = n.Place
		}
		resolver := n.Get("components_resolver")
		why := "its streams are those that an answer of the API names: ask for them yourself, and write a stream for each"
		if resolver.Kind() == "ConfigComponentsResolver" ||
			resolver.Kind() == "ParametrizedComponentsResolver" {
			why = "its streams are made of the values: write a stream for each"
		}
		s.Refuse(n, why)
		all = append(all, s)
	}
	return all
}

// advise adds to what became of the streams what a person should know of the whole manifest.
func (c *work) advise(r *Result) {
	r.Notes = append(r.Notes, c.Values.Notes...)
	if absent := c.absentSecrets(); len(absent) > 0 {
		r.Notes = append(r.Notes, "--values has nothing for these secrets, so that nothing is sent for them: "+
			strings.Join(absent, ", ")+" (any text in its place makes one an attribute)")
	}
	if decided := c.Values.Decisions(); len(decided) > 0 {
		r.Notes = append(
			r.Notes,
			"these values have decided what stands in the configuration, convert the manifest again "+
				"when one of them changes: "+strings.Join(decided, ", "),
		)
	}
	flag, note := c.rate()
	if flag != "" {
		r.Flags = append(r.Flags, flag)
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
}

// absentSecrets are the paths of secrets that templates name, that need not be there, and are not.
func (c *work) absentSecrets() (all []string) {
	budget := manifest.MaxValues
	spec := c.Document.Root.Get("spec").Get("connection_specification")
	schema, _ := spec.Plain(&budget).(map[string]any)
	var look func(path string, schema, given map[string]any)
	look = func(path string, schema, given map[string]any) {
		properties := manifest.PropertiesOf(schema, given, 0)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			value, isThere := given[name]
			below, isObject := value.(map[string]any)
			isAbsent := !isThere && properties[name].Schema["airbyte_secret"] == true
			switch {
			case isObject:
				look(manifest.Join(path, name), properties[name].Schema, below)
			case isAbsent && bytes.Count(c.in.Manifest, []byte(name)) > 1:
				all = append(all, manifest.Join(path, name))
			}
		}
	}
	look("", schema, c.Values.All)
	return all
}

// rate is the flag that the manifest's budget of requests becomes, and what a person should know of it.
func (c *work) rate() (flag, note string) {
	budget := c.Document.Root.Get("api_budget")
	if budget == nil {
		return "", ""
	}
	slowest := 0.0
	for _, policy := range budget.Get("policies").Elements() {
		for limit, seconds := range bounds(policy) {
			perSecond := float64(limit) / float64(seconds)
			if slowest == 0 || perSecond < slowest {
				slowest, flag = perSecond, rateFlag(limit, seconds)
			}
		}
	}
	if flag == "" {
		return "", "the manifest bounds the requests by api_budget, which is not understood: set --rate"
	}
	return flag, fmt.Sprintf(
		"the manifest bounds the requests by api_budget: %s does, for all requests of a run",
		flag,
	)
}

// bounds are the numbers of requests that a policy allows, each with its seconds.
func bounds(policy *manifest.Node) func(yield func(limit, seconds int) bool) {
	return func(yield func(limit, seconds int) bool) {
		if limit, seconds := wholeNumber(policy.Get("call_limit")), secondsOf(policy.Get("period")); limit*seconds > 0 {
			yield(limit, seconds)
			return
		}
		for _, rate := range policy.Get("rates").Elements() {
			limit, seconds := wholeNumber(rate.Get("limit")), secondsOf(rate.Get("interval"))
			if limit*seconds > 0 && !yield(limit, seconds) {
				return
			}
		}
	}
}

// wholeNumber is a whole number, 0 without one.
func wholeNumber(n *manifest.Node) int {
	value, err := strconv.Atoi(n.Text())
	if err != nil {
		return 0
	}
	return value
}

// secondsOf is a duration of ISO 8601, 0 without one.
func secondsOf(n *manifest.Node) int {
	p, _ := times.ParsePeriod(n.Text())
	return int(p.Shortest / time.Second)
}

// rateFlag is the flag for so many requests in so many seconds.
func rateFlag(limit, seconds int) string {
	units := map[int]string{1: "s", 60: "m", 3600: "h"}
	if unit := units[seconds]; unit != "" {
		return fmt.Sprintf("--rate %d/%s", limit, unit)
	}
	return fmt.Sprintf("--rate %d/h", max(limit*3600/seconds, 1))
}
