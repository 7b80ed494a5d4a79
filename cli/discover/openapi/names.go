package openapi

import (
	"slices"
	"strings"
	"unicode"
)

// usualNames are names that parameters or members of one meaning usually have: in lower case, letters and digits alone.
type usualNames struct {
	all []string

	// kind is the type that values must have where the document says it; empty: any of a scalar.
	kind string

	// areThings: the names are those of one thing, and count for many of it, too.
	areThings bool
}

func namesOf(kind, list string) usualNames { return usualNames{all: strings.Fields(list), kind: kind} }

// thingsOf are names of things, each in the singular.
func thingsOf(list string) usualNames { return usualNames{all: strings.Fields(list), areThings: true} }

// Parameters by which pages are asked for.
var (
	pages = namesOf("integer", "page pagenumber pagenum pageno pagenr pageindex currentpage pg p number")

	offsets = namesOf("integer", "offset skip start startat startindex pageoffset startposition firstresult from "+
		"startfrom startrow startrecord firstitem firstrecord")

	sizes = namesOf("integer", "limit size perpage pagesize maxresults count top take rows itemsperpage resultsperpage "+
		"pagelimit maxitems maxrecords recordsperpage max num maxpagesize maxresult pageitems pagecount resultcount "+
		"maxcount numresults first length hitsperpage perpagelimit maxkeys batchsize")

	// Of the sizes those that go with a number of a page, and those that go with an offset. A size of another name goes with
	// either.
	pageSizes = namesOf("integer", "perpage pagesize itemsperpage resultsperpage recordsperpage maxpagesize pageitems "+
		"hitsperpage perpagelimit")
	itemSizes = namesOf("integer", "limit maxresults count top take rows pagelimit maxitems maxrecords maxresult maxcount")

	cursors = namesOf("string", "cursor pagetoken nexttoken nextpagetoken continuationtoken marker bookmark continue "+
		"startcursor paginationtoken nextcursor pagecursor scrollid exclusivestartkey after pageafter startingtoken "+
		"nextmarker paginationkey nextpage next pageid nextpageid nextkey cursormark afterkey token pagekey offset "+
		"page start skiptoken nextpagekey startkey nextpagecursor startingposition resumptiontoken")

	behinds = namesOf("", "startingafter startafter afterid startingafterid startafterid lastid fromid sinceid "+
		"lastseenid")
)

// Members of answers that lead on, or say whether there is more.
var (
	links = namesOf("string", "next nexturl nexturi nextlink nextpage nextpageurl nextpagelink nexthref odatanextlink "+
		"nextpageuri nextrecordsurl nextresultsurl")

	tokens = namesOf("", "nextcursor nexttoken nextpagetoken nextcontinuationtoken continuationtoken pagetoken "+
		"endcursor continue nextmarker cursor paginationtoken nextpageid scrollid lastevaluatedkey nextoffset nextpage "+
		"next nextkey nextid after bookmark nextstart nextpagestart nextpagenumber nextpagecursor nextcursormark offset "+
		"nextpagekey nextstartcursor nextskiptoken nextskip resumptiontoken nextposition marker cursornext")

	moreFlags = namesOf("boolean", "hasmore hasnext hasnextpage more ismore istruncated moreresults "+
		"hasmoreitems hasmoreresults hasmorepages hasmoreentries moreitemsinresponse moreavailable hasmorerecords")
	endFlags = namesOf("boolean", "islast islastpage lastpage last done finished exhausted complete")

	totals = namesOf("integer", "total totalcount totalitems totalresults totalrecords totalelements totalsize "+
		"totalhits count recordcount itemcount numfound totalpages pagecount pages lastpage totalpagecount totalrows")
)

// Members of answers that hold the items, and those that never do.
var (
	containers = thingsOf("data item result value record entry element row list node hit object content collection " +
		"resource response doc document edge member payload d resultset resultlist datalist searchresult")

	asides = thingsOf("error warning message link included include facet aggregation notice notification column field " +
		"header scope permission sort filter parameter breadcrumb validationerror embedded refinement suggestion failure " +
		"detail metadata responsemetadata")
)

// has tells whether a name is one of them.
func (n usualNames) has(name string) bool {
	name = plain(name)
	return slices.Contains(n.all, name) || n.areThings && slices.Contains(n.all, singular(name))
}

// mayBe tells whether values of a type may be meant.
func (n usualNames) mayBe(kind string) bool {
	switch n.kind {
	case "integer":
		return kind == "integer" || kind == "number" || kind == ""
	case "":
		return kind != "array" && kind != "object" && kind != "boolean"
	}
	return kind == n.kind || kind == ""
}

// plain is a name in lower case, its letters and digits alone, without a prefix x-.
func plain(name string) string {
	name = strings.TrimPrefix(strings.ToLower(name), "x-")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
}

// singular is a plain name without the ending of a plural.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "sses"), strings.HasSuffix(name, "xes"), strings.HasSuffix(name, "ches"):
		return name[:len(name)-2]
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss"):
		return name[:len(name)-1]
	}
	return name
}

// isAlike tells whether two names mean the same things, one or many of them.
func isAlike(a, b string) bool { return singular(plain(a)) == singular(plain(b)) }
