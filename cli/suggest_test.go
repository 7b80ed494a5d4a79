//go:build unix

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sluice/fixtures/apis"
)

// A listAPI is an API of one list, whose pages are as its documentation has them.
type listAPI struct {
	name string
	// command is the curl command for it, without curl.
	command string
	// item is the text of one; %d is its number.
	item string
	// size is how many it gives by default, or at most.
	size int
	// serve answers: all are its items.
	serve func(q *asked) any
	// none: it has no pages, or none that could be asked for, and nothing may be suggested.
	none bool
}

// asked is a request to such an API.
type asked struct {
	*http.Request
	header http.Header
	status int
	all    []string
	size   int
	body   object
	count  int
}

type object = map[string]any

const most = 45

// text is a parameter of the address.
func (q *asked) text(name string) string { return q.URL.Query().Get(name) }

func (q *asked) number(name string, usual int) int {
	n, err := strconv.Atoi(q.text(name))
	if err != nil {
		return usual
	}
	return n
}

// limit is the size that is asked for, or less.
func (q *asked) limit(name string) int { return min(q.number(name, q.size), q.size) }

// part are the items from one on.
func (q *asked) part(from, size int) json.RawMessage {
	from = min(max(from, 0), len(q.all))
	to := min(from+size, len(q.all))
	return json.RawMessage("[" + strings.Join(q.all[from:to], ",") + "]")
}

// with is the address with one parameter changed.
func (q *asked) with(name string, value any) string {
	u := *q.URL
	query := u.Query()
	query.Set(name, fmt.Sprint(value))
	u.RawQuery = query.Encode()
	return "http://" + q.Host + u.String()
}

// next is the value where there are items from one on, else nil.
func (q *asked) next(from int, value any) any {
	if from < len(q.all) {
		return value
	}
	return nil
}

func (q *asked) refuse(status int) any {
	q.status = status
	return object{"message": "no such page"}
}

// pages is how many there are.
func pagesOf(size int) int { return (most + size - 1) / size }

// pagedAPIs are none of those in docs/apis.
var pagedAPIs = []listAPI{
	{name: "CKAN", command: "'http://ckan.test/api/3/action/datastore_search?resource_id=r1&limit=20'", item: `{"_id":%d,"name":"a%d"}`, size: 20, serve: func(q *asked) any {
		at, size := q.number("offset", 0), q.limit("limit")
		result := object{"resource_id": "r1", "records": q.part(at, size), "limit": size, "total": most, "total_was_estimated": false}
		next := strings.TrimPrefix(q.with("offset", at+size), "http://ckan.test")
		links := object{"start": "/api/3/action/datastore_search?resource_id=r1&limit=20", "next": next}
		if at > 0 {
			links["prev"] = "/api/3/action/datastore_search?resource_id=r1&limit=20"
		}
		result["_links"] = links
		return object{"success": true, "result": result}
	}},
	{name: "CKAN without a total", command: "'http://ckan.test/search'", item: `{"_id":%d}`, size: 20, serve: func(q *asked) any {
		at := q.number("offset", 0)
		return object{"records": q.part(at, 20), "_links": object{"next": "/search?offset=" + strconv.Itoa(at+20)}}
	}},
	{name: "Mailgun", command: "'http://mailgun.test/v3/acme/events?limit=20'", item: `{"id":"e%d","event":"opened"}`, size: 20, serve: func(q *asked) any {
		token := strings.TrimPrefix(q.URL.Path, "/v3/acme/events")
		at, _ := strconv.Atoi(strings.TrimPrefix(token, "/W"))
		page := func(at int) string { return "http://mailgun.test/v3/acme/events/W" + strconv.Itoa(at) + "?limit=20" }
		return object{"items": q.part(at, 20), "paging": object{"previous": page(max(at-20, 0)), "first": page(0), "next": page(min(at+20, most)), "last": page(40)}}
	}},
	{name: "TMDB", command: "'http://tmdb.test/3/movie/popular?language=en-US'", item: `{"id":%d,"title":"Film %d","popularity":1.5}`, size: 20, serve: func(q *asked) any {
		n := q.number("page", 1)
		return object{"page": n, "results": q.part((n-1)*20, 20), "total_pages": pagesOf(20), "total_results": most}
	}},
	{name: "Stack Exchange", command: "'http://stack.test/2.3/questions?site=stackoverflow'", item: `{"question_id":%d,"title":"Why %d"}`, size: 30, serve: func(q *asked) any {
		n, size := q.number("page", 1), q.limit("pagesize")
		return object{"items": q.part((n-1)*size, size), "has_more": n*size < most, "quota_max": 300, "quota_remaining": 299 - n}
	}},
	{name: "Stack Exchange by page", command: "'http://stack.test/2.3/questions?site=stackoverflow&page=1&pagesize=15'", item: `{"question_id":%d}`, size: 30, serve: func(q *asked) any {
		n, size := q.number("page", 1), q.limit("pagesize")
		return object{"items": q.part((n-1)*size, size), "has_more": n*size < most, "quota_max": 300}
	}},
	{name: "Supabase with a count", command: "'http://supabase.test/rest/v1/orders?select=*' -H 'Prefer: count=exact'", item: `{"id":%d}`, size: 20, serve: func(q *asked) any {
		at, size := q.number("offset", 0), q.limit("limit")
		q.header.Set("Content-Range", fmt.Sprintf("%d-%d/%d", at, min(at+size, most)-1, most))
		return q.part(at, size)
	}},
	{name: "Supabase", command: "'http://supabase.test/rest/v1/orders?select=*'", item: `{"id":%d}`, size: 20, serve: func(q *asked) any {
		at, size := q.number("offset", 0), q.limit("limit")
		q.header.Set("Content-Range", fmt.Sprintf("%d-%d/*", at, min(at+size, most)-1))
		return q.part(at, size)
	}},
	{name: "Linode", command: "'http://linode.test/v4/linode/instances?page_size=25'", item: `{"id":%d,"label":"l%d"}`, size: 25, serve: func(q *asked) any {
		n, size := q.number("page", 1), q.limit("page_size")
		if n > pagesOf(size) {
			return q.refuse(http.StatusNotFound)
		}
		return object{"data": q.part((n-1)*size, size), "page": n, "pages": pagesOf(size), "results": most}
	}},
	{name: "GBIF", command: "'http://gbif.test/v1/occurrence/search?limit=20&country=DE'", item: `{"key":%d}`, size: 20, serve: func(q *asked) any {
		at, size := q.number("offset", 0), q.limit("limit")
		return object{"offset": at, "limit": size, "endOfRecords": at+size >= most, "count": most, "results": q.part(at, size)}
	}},
	{name: "a next address of Django", command: "'http://drf.test/api/books/?ordering=id'", item: `{"id":%d}`, size: 20, serve: func(q *asked) any {
		n := q.number("page", 1)
		if n > pagesOf(20) {
			return q.refuse(http.StatusNotFound)
		}
		return object{"count": most, "next": q.next(n*20, q.with("page", n+1)), "previous": q.next(most-(n-1)*20, q.with("page", n-1)), "results": q.part((n-1)*20, 20)}
	}},
	{name: "PokeAPI", command: "'http://poke.test/api/v2/pokemon'", item: `{"name":"p%d","url":"http://poke.test/api/v2/pokemon/%d/"}`, size: 20, serve: func(q *asked) any {
		at, size := q.number("offset", 0), q.number("limit", 20)
		var previous any
		if at > 0 {
			previous = q.with("offset", max(at-size, 0))
		}
		return object{"count": most, "next": q.next(at+size, q.with("offset", at+size)+"&limit="+strconv.Itoa(size)), "previous": previous, "results": q.part(at, size)}
	}},
	{name: "Reddit", command: "'http://reddit.test/r/golang/new.json?limit=25'", item: `{"kind":"t3","data":{"name":"t3_%d"}}`, size: 25, serve: func(q *asked) any {
		at, _ := strconv.Atoi(strings.TrimPrefix(q.text("after"), "t3_"))
		return object{"kind": "Listing", "data": object{"after": q.next(at+25, "t3_"+strconv.Itoa(at+25)), "dist": 25, "modhash": "", "children": q.part(at, 25), "before": nil}}
	}},
	{name: "SonarQube", command: "'http://sonar.test/api/components/search?ps=20&qualifiers=TRK'", item: `{"key":"c%d","name":"C %d"}`, size: 20, serve: func(q *asked) any {
		n, size := q.number("p", 1), q.limit("ps")
		return object{"paging": object{"pageIndex": n, "pageSize": size, "total": most}, "components": q.part((n-1)*size, size)}
	}},
	{name: "Magento", command: "'http://magento.test/rest/V1/products?searchCriteria[pageSize]=20'", item: `{"id":%d,"sku":"S-%d"}`, size: 20, serve: func(q *asked) any {
		// A page beyond the last is the last again.
		n := min(q.number("searchCriteria[currentPage]", 1), pagesOf(20))
		return object{"items": q.part((n-1)*20, 20), "search_criteria": object{"filter_groups": []int{}, "page_size": 20, "current_page": n}, "total_count": most}
	}},
	{name: "a page number in camel case", command: "'http://camel.test/api/things?pageSize=20'", item: `{"thingId":%d}`, size: 20, serve: func(q *asked) any {
		return object{"things": q.part((q.number("pageNumber", 1)-1)*20, 20), "totalCount": most}
	}},
	{name: "Etsy", command: "'http://etsy.test/v3/application/listings/active?limit=20'", item: `{"listing_id":%d}`, size: 20, serve: func(q *asked) any {
		return object{"count": most, "results": q.part(q.number("offset", 0), q.limit("limit"))}
	}},
	{name: "Brevo, where no size is asked for", command: "'http://brevo.test/v3/contacts'", item: `{"id":%d,"email":"a%d@example.com"}`, size: 10, serve: func(q *asked) any {
		return object{"count": most, "contacts": q.part(q.number("offset", 0), q.limit("limit"))}
	}},
	{name: "Storyblok", command: "'http://story.test/v2/cdn/stories?per_page=25'", item: `{"id":%d,"uuid":"u%d"}`, size: 25, serve: func(q *asked) any {
		q.header.Set("Total", strconv.Itoa(most))
		q.header.Set("Per-Page", "25")
		return object{"stories": q.part((q.number("page", 1)-1)*25, 25), "cv": 17, "rels": []int{}, "links": []int{}}
	}},
	{name: "Clockify", command: "'http://clockify.test/api/v1/workspaces/w/users?page-size=20'", item: `{"id":"c%d"}`, size: 20, serve: func(q *asked) any {
		n := q.number("page", 1)
		q.header.Set("Last-Page", strconv.FormatBool(n*20 >= most))
		return q.part((n-1)*20, 20)
	}},
	{name: "npm", command: "'http://npm.test/-/v1/search?text=cli&size=20'", item: `{"package":{"name":"p%d"},"score":{"final":0.5}}`, size: 20, serve: func(q *asked) any {
		return object{"objects": q.part(q.number("from", 0), q.limit("size")), "total": most, "time": "2026-11-23T06:00:00Z"}
	}},
	{name: "ClickUp", command: "'http://clickup.test/api/v2/list/9/task?archived=false'", item: `{"id":"t%d"}`, size: 20, serve: func(q *asked) any {
		n := q.number("page", 0)
		return object{"tasks": q.part(n*20, 20), "last_page": (n+1)*20 >= most}
	}},
	{name: "OpenAlex", command: "'http://openalex.test/works?per-page=25'", item: `{"id":"W%d"}`, size: 25, serve: func(q *asked) any {
		n := q.number("page", 1)
		return object{"meta": object{"count": most, "db_response_time_ms": 30, "page": n, "per_page": 25}, "results": q.part((n-1)*25, 25), "group_by": []int{}}
	}},
	{name: "OData without a link", command: "'http://odata.test/v4/Products?$top=20&$count=true'", item: `{"ProductID":%d}`, size: 20, serve: func(q *asked) any {
		return object{"@odata.context": "http://odata.test/v4/$metadata#Products", "@odata.count": most, "value": q.part(q.number("$skip", 0), q.limit("$top"))}
	}},
	{name: "Solr", command: "'http://solr.test/solr/core/select?q=*:*&rows=20&wt=json'", item: `{"id":"d%d"}`, size: 20, serve: func(q *asked) any {
		at := q.number("start", 0)
		return object{"responseHeader": object{"status": 0, "QTime": 1}, "response": object{"numFound": most, "start": at, "numFoundExact": true, "docs": q.part(at, q.limit("rows"))}}
	}},
	{name: "HAL of Spring", command: "'http://hal.test/orders'", item: `{"number":"o%d"}`, size: 20, serve: func(q *asked) any {
		n := q.number("page", 0)
		links := object{"self": object{"href": q.with("page", n)}, "first": object{"href": q.with("page", 0)}, "last": object{"href": q.with("page", 2)}}
		if (n+1)*20 < most {
			links["next"] = object{"href": q.with("page", n+1) + "&size=20"}
		}
		return object{"_embedded": object{"orders": q.part(n*20, 20)}, "_links": links, "page": object{"size": 20, "totalElements": most, "totalPages": 3, "number": n}}
	}},
	{name: "JSON:API", command: "'http://jsonapi.test/articles?page[size]=20'", item: `{"type":"articles","id":"%d","attributes":{"title":"A %d"}}`, size: 20, serve: func(q *asked) any {
		n := q.number("page[number]", 1)
		return object{"data": q.part((n-1)*20, 20), "links": object{"self": q.with("page[number]", n), "prev": q.next(most-(n-1)*20, q.with("page[number]", n-1)), "next": q.next(n*20, q.with("page[number]", n+1)), "last": q.with("page[number]", 3)}}
	}},
	{name: "SCIM from 1", command: "'http://scim.test/v2/Users?startIndex=1&count=20'", item: `{"id":"u%d","userName":"u%d"}`, size: 20, serve: func(q *asked) any {
		from := max(q.number("startIndex", 1), 1)
		return object{"schemas": []string{"urn"}, "totalResults": most, "startIndex": from, "itemsPerPage": min(20, max(most-from+1, 0)), "Resources": q.part(from-1, q.limit("count"))}
	}},
	{name: "Chargebee", command: "'http://chargebee.test/api/v2/customers?limit=20'", item: `{"customer":{"id":"c%d"}}`, size: 20, serve: func(q *asked) any {
		var at int
		_, _ = fmt.Sscanf(q.text("offset"), `["%d"]`, &at)
		body := object{"list": q.part(at, 20)}
		if at+20 < most {
			body["next_offset"] = fmt.Sprintf(`["%d"]`, at+20)
		}
		return body
	}},
	{name: "Ghost", command: "'http://ghost.test/ghost/api/content/posts/?fields=id'", item: `{"id":"g%d","slug":"s%d"}`, size: 15, serve: func(q *asked) any {
		n := q.number("page", 1)
		return object{"posts": q.part((n-1)*15, 15), "meta": object{"pagination": object{"page": n, "limit": 15, "pages": 3, "total": most, "next": q.next(n*15, n+1), "prev": q.next(most-(n-1)*15, n-1)}}}
	}},
	{name: "Laravel", command: "'http://laravel.test/api/users'", item: `{"id":%d}`, size: 15, serve: func(q *asked) any {
		n := q.number("page", 1)
		return object{"current_page": n, "data": q.part((n-1)*15, 15), "first_page_url": q.with("page", 1), "last_page": 3, "last_page_url": q.with("page", 3), "links": []object{{"url": nil, "label": "Previous", "active": false}}, "next_page_url": q.next(n*15, q.with("page", n+1)), "per_page": 15, "prev_page_url": q.next(most-(n-1)*15, q.with("page", n-1)), "total": most}
	}},
	{name: "Freshdesk", command: "'http://freshdesk.test/api/v2/tickets?per_page=20'", item: `{"id":%d}`, size: 20, serve: func(q *asked) any {
		n := q.number("page", 1)
		if n*20 < most {
			q.header.Set("Link", "<"+q.with("page", n+1)+`>; rel="next"`)
		}
		return q.part((n-1)*20, 20)
	}},
	{name: "Zoho CRM", command: "'http://zoho.test/crm/v6/Leads?fields=Last_Name&per_page=20'", item: `{"id":"z%d"}`, size: 20, serve: func(q *asked) any {
		n := q.number("page", 1)
		return object{"data": q.part((n-1)*20, 20), "info": object{"per_page": 20, "count": min(20, most-(n-1)*20), "page": n, "more_records": n*20 < most}}
	}},
	{name: "a size that is capped", command: "'http://capped.test/v1/events?limit=100&offset=0'", item: `{"id":%d}`, size: 20, serve: func(q *asked) any {
		return object{"events": q.part(q.number("offset", 0), q.limit("limit")), "total_count": most}
	}},
	{name: "Twitch", command: "'http://twitch.test/helix/streams?first=20'", item: `{"id":"s%d"}`, size: 20, serve: func(q *asked) any {
		at, _ := strconv.Atoi(strings.TrimPrefix(q.text("after"), "eyJ"))
		paging := object{}
		if at+20 < most {
			paging["cursor"] = "eyJ" + strconv.Itoa(at+20)
		}
		return object{"data": q.part(at, 20), "pagination": paging}
	}},
	{name: "CloudWatch Logs, events that are filtered", command: `http://logs.test/ --json '{"logGroupName":"g","limit":20}'`, item: `{"eventId":"e%d","message":"m"}`, size: 20, serve: func(q *asked) any {
		token, _ := q.body["nextToken"].(string)
		at, _ := strconv.Atoi(strings.TrimPrefix(token, "T"))
		body := object{"events": q.part(at, 20), "searchedLogStreams": []int{}}
		if at+20 < most {
			body["nextToken"] = "T" + strconv.Itoa(at+20)
		}
		return body
	}},
	{name: "Crossref, whose cursor never ends", command: "'http://crossref.test/works?rows=20&cursor=*'", item: `{"DOI":"10.1/%d"}`, size: 20, serve: func(q *asked) any {
		at, _ := strconv.Atoi(strings.TrimPrefix(q.text("cursor"), "DnF"))
		return object{"status": "ok", "message-type": "work-list", "message": object{"facets": object{}, "next-cursor": "DnF" + strconv.Itoa(min(at+20, most)), "total-results": most, "items": q.part(at, 20), "items-per-page": 20}}
	}},
	{name: "DocuSign", command: "'http://docusign.test/restapi/v2.1/accounts/1/envelopes?count=20'", item: `{"envelopeId":"e%d"}`, size: 20, serve: func(q *asked) any {
		at := q.number("start_position", 0)
		body := object{"resultSetSize": "20", "startPosition": strconv.Itoa(at), "endPosition": strconv.Itoa(at + 19), "totalSetSize": strconv.Itoa(most), "envelopes": q.part(at, q.limit("count"))}
		if at+20 < most {
			body["nextUri"] = "/accounts/1/envelopes?start_position=" + strconv.Itoa(at+20) + "&count=20"
		}
		return body
	}},
	{name: "OpenStack", command: "'http://nova.test/v2.1/servers?limit=20'", item: `{"id":"s%d"}`, size: 20, serve: func(q *asked) any {
		at, _ := strconv.Atoi(strings.TrimPrefix(q.text("marker"), "s"))
		body := object{"servers": q.part(at, 20)}
		if at+20 < most {
			body["servers_links"] = []object{{"rel": "next", "href": q.with("marker", "s"+strconv.Itoa(at+20))}}
		}
		return body
	}},
	{name: "DynamoDB", command: `http://dynamo.test/ --json '{"TableName":"Music","Limit":20}'`, item: `{"Id":{"N":"%d"}}`, size: 20, serve: func(q *asked) any {
		at := 0
		if key, ok := q.body["ExclusiveStartKey"].(object); ok {
			at, _ = strconv.Atoi(fmt.Sprint(key["Id"].(object)["N"]))
		}
		body := object{"Items": q.part(at, 20), "Count": 20, "ScannedCount": 20}
		if at+20 < most {
			body["LastEvaluatedKey"] = object{"Id": object{"N": strconv.Itoa(at + 20)}}
		}
		return body
	}},
	{name: "World Bank", command: "'http://worldbank.test/v2/country?format=json'", item: `{"id":"C%d","name":"Land %d"}`, size: 20, serve: func(q *asked) any {
		n := q.number("page", 1)
		return []any{object{"page": n, "pages": pagesOf(20), "per_page": "20", "total": most}, q.part((n-1)*20, 20)}
	}},
	{name: "a cursor that never ends", command: "'http://scroll.test/feed'", item: `{"id":%d}`, size: 20, serve: func(q *asked) any {
		at, _ := strconv.Atoi(strings.TrimPrefix(q.text("cursor"), "c"))
		return object{"posts": q.part(at, 20), "next_cursor": "c" + strconv.Itoa(min(at+20, most))}
	}},
	{name: "Zoom", command: "'http://zoom.test/v2/users?status=active'", item: `{"id":"z%d","type":1}`, size: 30, serve: func(q *asked) any {
		at, _ := strconv.Atoi(strings.TrimPrefix(q.text("next_page_token"), "t"))
		token := ""
		if at+30 < most {
			token = "t" + strconv.Itoa(at+30)
		}
		return object{"page_count": pagesOf(30), "page_number": 1, "page_size": 30, "total_records": most, "next_page_token": token, "users": q.part(at, 30)}
	}},
	{name: "MediaWiki", command: "'http://wiki.test/w/api.php?action=query&list=allpages&format=json'", item: `{"pageid":%d,"ns":0}`, size: 10, serve: func(q *asked) any {
		at, _ := strconv.Atoi(strings.TrimPrefix(q.text("apcontinue"), "Page_"))
		answer := object{"batchcomplete": "", "query": object{"allpages": q.part(at, 10)}}
		if at+10 < most {
			answer["continue"] = object{"apcontinue": "Page_" + strconv.Itoa(at+10), "continue": "-||"}
		}
		return answer
	}},
	{name: "PubMed", command: "'http://pubmed.test/esearch.fcgi?db=pubmed&term=asthma&retmode=json'", item: `"38%d"`, size: 20, serve: func(q *asked) any {
		at, size := q.number("retstart", 0), q.limit("retmax")
		count, retmax, retstart := strconv.Itoa(most), strconv.Itoa(min(size, most-at)), strconv.Itoa(at)
		result := object{"count": count, "retmax": retmax, "retstart": retstart, "idlist": q.part(at, size), "translationset": []any{}}
		return object{"header": object{"type": "esearch", "version": "0.3"}, "esearchresult": result}
	}},
	{name: "no parameter counts", command: "'http://ignores.test/things'", item: `{"id":%d}`, size: 20, none: true, serve: func(q *asked) any {
		return object{"things": q.part(0, 20), "has_more": true}
	}},
	{name: "no parameter counts, and each answer has its time in the items", command: "'http://stamps.test/things'", item: `{"thing_id":%d,"name":"n%d"`, size: 20, none: true, serve: func(q *asked) any {
		for i := range q.all {
			q.all[i] += fmt.Sprintf(`,"seen":%d}`, q.count*1000+i)
		}
		return object{"things": q.part(0, 20), "page": 1, "total": most}
	}},
	{name: "no parameter counts, each answer has its time in the items, and these are wrapped", command: "'http://wrapped.test/things'", item: `{"thing":{"id":"t%d","name":"n%d"},"kind":"thing"`, size: 20, none: true, serve: func(q *asked) any {
		for i := range q.all {
			q.all[i] += fmt.Sprintf(`,"seen":%d}`, q.count*1000+i)
		}
		return object{"things": q.part(0, 20), "total": most}
	}},
	{name: "each answer is refused but the first", command: "'http://strict.test/things?limit=20'", item: `{"id":%d}`, size: 20, none: true, serve: func(q *asked) any {
		if q.URL.RawQuery != "limit=20" {
			return q.refuse(http.StatusBadRequest)
		}
		return object{"things": q.part(0, 20), "total_count": most, "page": 1}
	}},
	{name: "pages from 0, the second of which is not there for now", command: "http://later.test/things", item: `{"id":%d}`, size: 20, none: true, serve: func(q *asked) any {
		n := q.number("page", 0)
		if n == 1 {
			return q.refuse(http.StatusServiceUnavailable)
		}
		return object{"things": q.part(n*20, 20)}
	}},
	{name: "pages that end by an error", command: "http://wall.test/things", item: `{"id":%d}`, size: 20, none: true, serve: func(q *asked) any {
		n := q.number("page", 1)
		if n > pagesOf(20) {
			return q.refuse(http.StatusNotFound)
		}
		return object{"things": q.part((max(n, 1)-1)*20, 20)}
	}},
	{name: "a next address that leads to the same page", command: "'http://circle.test/things'", item: `{"id":%d}`, size: 20, none: true, serve: func(q *asked) any {
		return object{"things": q.part(0, 20), "next": "http://circle.test/things?session=" + strconv.Itoa(q.count)}
	}},
}

// mock is the API as a server.
func (a *listAPI) mock() (m *apis.Mock, all []string) {
	for i := range most {
		all = append(all, strings.ReplaceAll(a.item, "%d", strconv.Itoa(i+1)))
	}
	host, _, _ := strings.Cut(a.command[strings.Index(a.command, "//")+2:], "/")
	count := 0
	serve := func(w http.ResponseWriter, r *http.Request) {
		count++
		q := &asked{Request: r, header: w.Header(), status: http.StatusOK, all: slices.Clone(all), size: a.size, count: count}
		if text, _ := io.ReadAll(r.Body); len(text) > 0 {
			_ = json.Unmarshal(text, &q.body)
		}
		body := a.serve(q)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(q.status)
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		_ = e.Encode(body)
	}
	return &apis.Mock{Name: a.name, Hosts: []string{host}, Handler: http.HandlerFunc(serve)}, all
}

// TestWhatIsSuggestedDrainsTheAPIAndEnds makes a configuration of each command, checks that check suggests the same,
// and runs it: every item comes once, with at most two requests more than there are pages.
func TestWhatIsSuggestedDrainsTheAPIAndEnds(t *testing.T) {
	for _, a := range pagedAPIs {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			m, all := a.mock()
			file := filepath.Join(t.TempDir(), "api.json")
			tried, checked, ran := 0, 0, 0
			status, shown := inNetwork(t, m, &tried, "init", "--from-curl", "curl "+a.command, "-o", file)
			if status != 0 && status != 3 {
				t.Fatal(shown)
			}
			text := readText(t, file)
			if isSure := strings.Contains(shown, "sure: the next page is found"); tried > 5 || isSure == a.none {
				t.Errorf("%d requests\n%s", tried, shown)
			}
			if a.none {
				if strings.Contains(text, "pagination") {
					t.Error(text)
				}
				return
			}
			var c struct {
				API map[string]json.RawMessage `json:"api"`
				All json.RawMessage            `json:"config"`
			}
			if err := json.Unmarshal([]byte(text), &c); err != nil {
				t.Fatal(err)
			}
			want := c.API["pagination"]
			delete(c.API, "pagination")
			plain, _ := json.Marshal(c)
			if err := os.WriteFile(file+".plain", plain, 0o600); err != nil {
				t.Fatal(err)
			}
			_, shown = inNetwork(t, m, &checked, "check", file+".plain")
			found := shown[max(strings.Index(shown, "  suggests  "), 0):]
			if !strings.Contains(found, compactJSON(want)) || !strings.Contains(found, "\n  sure  ") {
				t.Errorf("%s\n%s", want, shown)
			}
			drained, log := inNetwork(t, m, &ran, "run", file, "--strict", "-o", file+".ndjson")
			if drained != 0 {
				t.Fatalf("%s\n%s", want, log)
			}
			// Three pages without items may be asked for to see the end.
			if lines := readText(t, file+".ndjson"); lines != strings.Join(all, "\n")+"\n" || ran > pagesOf(a.size)+3 {
				t.Errorf("%d requests, %d items: %s\n%s", ran, strings.Count(lines, "\n"), want, log)
			}
			t.Logf("%d, %d and %d requests: %s", tried, checked, ran, compactJSON(want))
		})
	}
}

// compactJSON is a value as check shows it.
func compactJSON(value json.RawMessage) string {
	var lines []string
	for line := range strings.Lines(string(value)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	text := strings.Join(lines, " ")
	return strings.NewReplacer("{ ", "{", " }", "}", "[ ", "[", " ]", "]").Replace(text)
}
