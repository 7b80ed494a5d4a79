package convert

import (
	"strconv"
	"strings"

	"sluice/cli/discover/airbyte/manifest"
)

// firstVersion is the first minor version of the language that Airbyte still reads, of those before 1.
const firstVersion = 29

// older is the version of a manifest that Airbyte no longer reads; empty: it does.
func (c *Conversion) older() string {
	version := c.Document.Root.Get("version").Text()
	minor, isBeta := strings.CutPrefix(version, "0.")
	minor, _, _ = strings.Cut(minor, ".")
	number, err := strconv.Atoi(minor)
	if !isBeta || err != nil || number >= firstVersion {
		return ""
	}
	return version
}

// olderNames are members that said something of the requests in older versions, and what says it now.
var olderNames = map[string]string{
	"stream_slicer":            "partition_router or incremental_sync",
	"request_options_provider": "request_parameters, request_headers and the like",
	"$options":                 "$parameters",
}

// refuseOlder refuses the members of a component that say something only in the older version that the manifest has. Airbyte
// ignores them in newer ones.
func (c *Conversion) refuseOlder(s *Stream, n *manifest.Section) {
	version := c.older()
	if version == "" {
		return
	}
	for _, name := range n.Names() {
		now, isOlder := olderNames[name]
		s.refuseIf(isOlder, n.Peek(name), "the version is "+version+", and Airbyte ignores "+name+" since 0."+
			strconv.Itoa(firstVersion)+".0: write "+now+" in a copy of the manifest")
	}
}
