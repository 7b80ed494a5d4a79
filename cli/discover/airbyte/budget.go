package airbyte

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// dynamic are the streams that only a run of the connector would know: they are refused, each template once.
func (c *conversion) dynamic() (all []*stream) {
	for _, n := range c.document.root.get("dynamic_streams").elements() {
		s := &stream{at: n, name: n.get("name").text()}
		if s.name == "" {
			s.name = n.place
		}
		resolver := n.get("components_resolver")
		why := "its streams are those that an answer of the API names: ask for them yourself, and write a stream for each"
		if resolver.kind() == "ConfigComponentsResolver" ||
			resolver.kind() == "ParametrizedComponentsResolver" {
			why = "its streams are made of the values: write a stream for each"
		}
		s.refuse(n, why)
		all = append(all, s)
	}
	return all
}

// advise adds to what became of the streams what a person should know of the whole manifest.
func (c *conversion) advise(r *Result) {
	r.Notes = append(r.Notes, c.values.notes...)
	if absent := c.absentSecrets(); len(absent) > 0 {
		r.Notes = append(r.Notes, "--values has nothing for these secrets, so that nothing is sent for them: "+
			strings.Join(absent, ", ")+" (any text in its place makes one an attribute)")
	}
	if decided := c.values.decisions(); len(decided) > 0 {
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
func (c *conversion) absentSecrets() (all []string) {
	budget := maxMembers
	spec := c.document.root.get("spec").get("connection_specification")
	schema, _ := spec.plain(&budget).(map[string]any)
	var look func(path string, schema, given map[string]any)
	look = func(path string, schema, given map[string]any) {
		properties := propertiesOf(schema, given, 0)
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			value, isThere := given[name]
			below, isObject := value.(map[string]any)
			isAbsent := !isThere && properties[name].schema["airbyte_secret"] == true
			switch {
			case isObject:
				look(join(path, name), properties[name].schema, below)
			case isAbsent && bytes.Count(c.in.Manifest, []byte(name)) > 1:
				all = append(all, join(path, name))
			}
		}
	}
	look("", schema, c.values.all)
	return all
}

// rate is the flag that the manifest's budget of requests becomes, and what a person should know of it.
func (c *conversion) rate() (flag, note string) {
	budget := c.document.root.get("api_budget")
	if budget == nil {
		return "", ""
	}
	slowest := 0.0
	for _, policy := range budget.get("policies").elements() {
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
func bounds(policy *node) func(yield func(limit, seconds int) bool) {
	return func(yield func(limit, seconds int) bool) {
		if limit, seconds := wholeNumber(policy.get("call_limit")), secondsOf(policy.get("period")); limit*seconds > 0 {
			yield(limit, seconds)
			return
		}
		for _, rate := range policy.get("rates").elements() {
			limit, seconds := wholeNumber(rate.get("limit")), secondsOf(rate.get("interval"))
			if limit*seconds > 0 && !yield(limit, seconds) {
				return
			}
		}
	}
}

// wholeNumber is a whole number, 0 without one.
func wholeNumber(n *node) int {
	value, err := strconv.Atoi(n.text())
	if err != nil {
		return 0
	}
	return value
}

// secondsOf is a duration of ISO 8601, 0 without one.
func secondsOf(n *node) int {
	seconds, err := strconv.Atoi((&stream{}).duration(n))
	if err != nil {
		return 0
	}
	return seconds
}

// rateFlag is the flag for so many requests in so many seconds.
func rateFlag(limit, seconds int) string {
	units := map[int]string{1: "s", 60: "m", 3600: "h"}
	if unit := units[seconds]; unit != "" {
		return fmt.Sprintf("--rate %d/%s", limit, unit)
	}
	return fmt.Sprintf("--rate %d/h", max(limit*3600/seconds, 1))
}
