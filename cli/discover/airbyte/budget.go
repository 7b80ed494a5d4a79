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
		why := "its streams are listed by an answer of the API: request that list, and write a stream into the manifest for each"
		switch n.Get("components_resolver").Kind() {
		case "ConfigComponentsResolver", "ParametrizedComponentsResolver":
			why = "its streams are made from --values: write a stream into the manifest for each"
		}
		s.Refuse(n, why)
		all = append(all, s)
	}
	return all
}

// advise adds to what became of the streams what a person should know of the whole manifest.
func (c *work) advise(r *Translation) {
	r.Notes = append(r.Notes, c.Values.Notes...)
	if absent := c.absentSecrets(); len(absent) > 0 {
		r.Notes = append(r.Notes, "--values has no value for these secrets, so nothing is sent for them: "+
			strings.Join(absent, ", ")+" (give any text, and each becomes an attribute)")
	}
	if decided := c.Values.Decisions(); len(decided) > 0 {
		r.Notes = append(
			r.Notes,
			"the configuration depends on these values: convert the manifest again "+
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
		all := [][2]int{bound(policy, "call_limit", "period")}
		for _, rate := range policy.Get("rates").Elements() {
			all = append(all, bound(rate, "limit", "interval"))
		}
		// One that the policy has itself counts alone.
		if all[0][0] > 0 {
			all = all[:1]
		}
		for _, b := range all {
			perSecond := float64(b[0]) / float64(max(b[1], 1))
			if perSecond > 0 && (slowest == 0 || perSecond < slowest) {
				slowest, flag = perSecond, rateFlag(b[0], b[1])
			}
		}
	}
	if flag == "" {
		return "", "the manifest limits the requests by api_budget, in a form that is not supported: set --rate"
	}
	return flag, "the manifest limits the requests by api_budget: " + flag + " does so, for all requests of a run"
}

// bound is a number of requests, and of how many seconds; 0: there is none.
func bound(n *manifest.Section, limit, period string) [2]int {
	requests, err := strconv.Atoi(n.Get(limit).Text())
	length, _ := times.ParsePeriod(n.Get(period).Text())
	seconds := int(length.Shortest / time.Second)
	if err != nil || requests*seconds <= 0 {
		return [2]int{}
	}
	return [2]int{requests, seconds}
}

// rateFlag is the flag for so many requests in so many seconds.
func rateFlag(limit, seconds int) string {
	units := map[int]string{1: "s", 60: "m", 3600: "h"}
	if unit := units[seconds]; unit != "" {
		return fmt.Sprintf("--rate %d/%s", limit, unit)
	}
	return fmt.Sprintf("--rate %d/h", max(limit*3600/seconds, 1))
}
