//go:build unix

package cli

import (
	"bytes"
	"context"
	"net/http"

	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sluice/fixtures/api"
	"sluice/fixtures/apis"
)

// curls are commands as the documentation of these APIs has them, for the mock of each.
var curls = []struct{ api, items, below, command, secrets string }{
	{"airtable", "records", `,"parent_id_u0":"appCrm","parent_id":"tblPeople"}`, `curl "https://api.airtable.com/v0/appCrm/tblPeople" -H "Authorization: Bearer pat-1"`, "#token=pat-1"},
	{"datadog", "logs", "", "curl -X GET \"https://api.datadoghq.eu/api/v2/logs/events?filter%5Bfrom%5D=1999-12-01T00:00:00Z&filter%5Bto%5D=now&page%5Blimit%5D=1000\" \\\n-H \"Accept: application/json\" \\\n-H \"DD-API-KEY: dd-api\" \\\n-H \"DD-APPLICATION-KEY: dd-app\"", "#dd-api-key=dd-api #dd-application-key=dd-app"},
	{"elasticsearch", "orders", "", "curl -X GET \"https://search.acme.test:9200/orders/_search?pretty\" -H 'Authorization: ApiKey es-1' -H 'Content-Type: application/json' -d'\n{\n  \"size\": 500,\n  \"sort\": [{\"at\": \"asc\"}, {\"id\": \"asc\"}]\n}\n'", "#token=es-1"},
	{"facebook", "campaigns", "", `curl -i -X GET "https://graph.facebook.com/v23.0/act_77/campaigns?limit=50" -H "Authorization: Bearer EAAB-1"`, "#token=EAAB-1"},
	{"github", "repos", "", "curl -L \\\n  -H \"Accept: application/vnd.github+json\" \\\n  -H \"Authorization: Bearer ghp_7\" \\\n  -H \"X-GitHub-Api-Version: 2022-11-28\" \\\n  \"https://api.github.com/user/repos?per_page=50\"", "#token=ghp_7"},
	{"gitlab", "projects", "", `curl --request GET --header "PRIVATE-TOKEN: glpat-7" --url "https://gitlab.com/api/v4/projects?pagination=keyset&per_page=50&order_by=id&sort=asc&membership=true"`, "#private-token=glpat-7"},
	{"hubspot", "contacts", "", "curl --request GET \\\n  --url 'https://api.hubapi.com/crm/v3/objects/contacts?limit=10&properties=email%2Cfirstname' \\\n  --header 'authorization: Bearer pat-7'", "#token=pat-7"},
	{"intercom", "conversations", "", `curl -s https://api.intercom.io/conversations/search -H 'Authorization: Bearer ic-1' -H 'Content-Type: application/json' -H 'Intercom-Version: 2.11' --data '{"query":{"field":"created_at","operator":">","value":"0"},"pagination":{"per_page":50}}'`, "#token=ic-1"},
	{"jira", "projects", "", `curl --request GET --url 'https://acme.atlassian.net/rest/api/3/project/search' --user 'a@acme.test:atl-7' --header 'Accept: application/json'`, "#user=a@acme.test #password=atl-7"},
	{"jira", "issues", "", `curl -G https://acme.atlassian.net/rest/api/3/search/jql --data-urlencode 'jql=created >= -30d order by created' -d fields=summary -u a@acme.test:atl-7 -H Accept:application/json`, "#user=a@acme.test #password=atl-7"},
	{"notion", "data_sources", "", `curl -X POST 'https://api.notion.com/v1/search' -H 'Authorization: Bearer '"ntn_7"'' -H 'Content-Type: application/json' -H 'Notion-Version: 2025-09-03' --data '{"filter":{"value":"data_source","property":"object"},"page_size":1}'`, "#token=ntn_7"},
	{"okta", "users", "", `curl -v -X GET -H "Accept: application/json" -H "Content-Type: application/json" -H "Authorization: SSWS okta-1" "https://acme.okta.com/api/v1/users?limit=200"`, "#token=okta-1"},
	{"pagerduty", "users", "", "curl --request GET --url https://api.pagerduty.com/users --header 'Accept: application/vnd.pagerduty+json;version=2' --header 'Authorization: Token token=pd-1' --header 'Content-Type: application/json'", "#token=token=pd-1"},
	{"shopify", "orders", "", `curl -X POST https://acme.myshopify.com/admin/api/2026-01/graphql.json -H 'Content-Type: application/json' -H 'X-Shopify-Access-Token: shpat_7' -d '{"query":"query ($after: String) { list: orders(first: 250, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }"}'`, "#shopify-access-token=shpat_7"},
	{"shopify-rest", "orders", "", `curl -X GET "https://acme.myshopify.com/admin/api/2026-01/orders.json?status=any" -H "X-Shopify-Access-Token: shpat_7"`, "#shopify-access-token=shpat_7"},
	{"slack", "members", "", `curl https://slack.com/api/users.list?limit=200 -H 'Authorization: Bearer xoxb-7'`, "#token=xoxb-7"},
	{"stripe", "customers", "", `curl -G https://api.stripe.com/v1/customers -H "Authorization: Bearer rk_live_7" -d limit=3`, "#token=rk_live_7"},
	{"wordpress", "posts", "", `curl --user "reader:abcd efgh" https://blog.acme.test/wp-json/wp/v2/posts`, "#user=reader #password=abcd_efgh"},
	{"zendesk", "tickets", "", `curl 'https://acme.zendesk.com/api/v2/tickets.json?page[size]=100' -v -u a@acme.test/token:zd-token-1`, "#user=a@acme.test/token #password=zd-token-1"},
	{"servicenow", "incident", "", `curl "https://acme.service-now.com/api/now/table/incident?sysparm_limit=100&sysparm_query=ORDERBYnumber" --request GET --header "Accept:application/json" --user "reader:sn-7"`, "#user=reader #password=sn-7"},
	{"ckan", "records", "", `curl 'https://data.acme.test/api/3/action/datastore_search?resource_id=r-1&limit=500&sort=_id' -H 'Authorization: ck-1'`, "#authorization=ck-1"},
	{"socrata", "rows", "", `curl -G 'https://data.acme.test/resource/abcd-1234.json' --data-urlencode '$limit=5000' --data-urlencode '$select=:*,*' --data-urlencode '$order=:id' -H 'X-App-Token: so-1'`, "#app-token=so-1"},
	{"world-bank", "countries", "", `curl 'https://api.worldbank.org/v2/country?format=json'`, ""},
	{"mailgun", "bounces", "", `curl -s --user 'api:key-7' -G https://api.eu.mailgun.net/v3/mg.acme.test/bounces -d limit=100`, "#user=api #password=key-7"},
	{"etherscan", "transactions", "", `curl "https://api.etherscan.io/v2/api?chainid=1&module=account&action=txlist&address=0xAB&startblock=0&page=1&offset=1000&sort=asc&apikey=es-1"`, "#apikey=es-1"},
	{"asana", "workspaces", "", `curl https://app.asana.com/api/1.0/workspaces?limit=10 -H 'Authorization: Bearer 1/as-1'`, "#token=1/as-1"},
	{"asana", "tasks", `,"parent_gid_u0":"1200","parent_gid":"p1"}`, `curl 'https://app.asana.com/api/1.0/projects/p1/tasks?limit=50&opt_fields=name' -H 'Authorization: Bearer 1/as-1'`, "#token=1/as-1"},
	{"clickup", "tasks", `,"parent_id":"9001"}`, `curl -i -X GET 'https://api.clickup.com/api/v2/team/9001/task?page=0&order_by=created' -H 'Authorization: pk_7'`, "#authorization=pk_7"},
	{"linear", "issues", "", `curl -X POST -H "Content-Type: application/json" -H "Authorization: lin_api_7" --data '{"query":"query ($after: String) { list: issues(first: 50, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }"}' https://api.linear.app/graphql`, "#authorization=lin_api_7"},
	{"twilio", "", "", `curl -X GET "https://api.twilio.com/2010-04-01/Accounts/AC1/Calls.json?PageSize=20" -u AC1:tw-1`, "#user=AC1 #password=tw-1"},
	{"algolia", "", "", `curl -X GET -H "X-Algolia-API-Key: al-1" -H "X-Algolia-Application-Id: APP1" --compressed "https://app1-dsn.algolia.net/1/indexes/things/query?query=&hitsPerPage=20"`, "#algolia-api-key=al-1"},
	{"sendgrid", "", "", `curl -X GET "https://api.sendgrid.com/v3/suppression/bounces?limit=20" --header "Authorization: Bearer SG.1" --header "Accept: application/json"`, "#token=SG.1"},
	{"discourse-latest", "", "", `curl -X GET "https://meta.discourse.test/latest.json" -H "Api-Key: dc-1" -H "Api-Username: system"`, "#api-key=dc-1"},
	{"spring", "", "", `curl 'https://shop.acme.test/api/orders'`, ""},
	{"json-server", "", "", `curl 'https://json.acme.test/posts?_limit=10'`, ""},
	{"pages-from-0", "", "", `curl https://zero.acme.test/things`, ""},
	{"pages-from-1", "", "", `curl https://one.acme.test/things`, ""},
	{"offset", "", "", `curl https://plain.acme.test/things`, ""},
	{"behind-an-id", "", "", `curl 'https://ids.acme.test/people?since=0'`, ""},
	{"sentry", "issues", "", `curl 'https://sentry.io/api/0/organizations/acme/issues/?query=&project=-1&limit=50' -H 'Authorization: Bearer sntrys-1'`, "#token=sntrys-1"},
	{"magento", "orders", "", `curl -g 'https://shop.acme.test/rest/V1/orders?searchCriteria[pageSize]=50&searchCriteria[currentPage]=1&searchCriteria[sortOrders][0][field]=entity_id&searchCriteria[sortOrders][0][direction]=ASC' -H 'Authorization: Bearer mg-1'`, "#token=mg-1"},
	{"strapi", "entries", "", `curl -g 'https://cms.acme.test/api/articles?sort=id:asc&populate=*&pagination[page]=1&pagination[pageSize]=50' -H 'Authorization: Bearer st-1'`, "#token=st-1"},
	{"scim", "users", "", `curl 'https://id.acme.test/scim/v2/Users?startIndex=1&count=20' -H 'Authorization: Bearer sc-1' -H 'Accept: application/scim+json'`, "#token=sc-1"},
	{"bitbucket", "repositories", "", `curl --user a@acme.test:ATATT1 'https://api.bitbucket.org/2.0/repositories/acme?sort=created_on'`, "#user=a@acme.test #password=ATATT1"},
	{"freshdesk", "contacts", "", `curl -u fd-1:X 'https://acme.freshdesk.com/api/v2/contacts'`, "#user=fd-1 #password=X"},
	{"openfec", "candidates", "", `curl 'https://api.open.fec.gov/v1/candidates/?cycle=2026&per_page=50' -H 'X-Api-Key: fec-1'`, "#api-key=fec-1"},
	{"discourse", "users", "", `curl 'https://forum.acme.test/admin/users/list/active.json?order=created&asc=true' -H 'Api-Key: dc-1' -H 'Api-Username: system'`, "#api-key=dc-1"},
	{"no-paging", "", "", `curl https://all.acme.test/currencies`, ""},
}

// TestACurlCommandBecomesAConfigurationThatDrainsTheAPI makes a configuration of each command,
// with the answers of a mock, and drains the mock with it.
func TestACurlCommandBecomesAConfigurationThatDrainsTheAPI(t *testing.T) {
	for _, c := range curls {
		t.Run(c.api, func(t *testing.T) {
			t.Parallel()
			all := slices.Concat(apis.All(), apis.Others())
			m := all[slices.IndexFunc(all, func(m *apis.Mock) bool { return m.Name == c.api })]
			want := m.Items[c.items]
			for _, only := range m.Items {
				if len(m.Items) == 1 {
					want = only
				}
			}
			if c.below != "" {
				want = nil
				for _, item := range m.Items[c.items] {
					if plain, ok := strings.CutSuffix(item, c.below); ok {
						want = append(want, plain+"}")
					}
				}
			}
			sent, run := 0, 0
			file := filepath.Join(t.TempDir(), "api.json")
			status, shown := inNetwork(t, m, &sent, "init", "--from-curl", strings.ReplaceAll(c.command, "https://", "http://"), "-o", file)
			if status != 0 && status != 3 {
				t.Fatal(shown)
			}
			text := readText(t, file)
			args := []string{"run", file, "--strict", "-o", file + ".ndjson"}
			for _, secret := range strings.Fields(c.secrets) {
				args = append(args, "--attr", strings.ReplaceAll(secret, "_e", " e"))
				name, value, _ := strings.Cut(secret, "=")
				isShown := strings.Contains(strings.ReplaceAll(shown+text, name, ""), value)
				// The address may name the user, too.
				isUser := name == "#user"
				if isShown && !isUser {
					t.Errorf("%s is shown", value)
				}
			}
			drained, log := inNetwork(t, m, &run, args...)
			lines := ""
			if drained == 0 {
				lines = readText(t, file+".ndjson")
			}
			t.Logf("status %d, %d requests; %d with %d of %d", status, sent, drained, strings.Count(lines, "\n"), len(want))
			if sent > 5 || drained != 0 || lines != strings.Join(want, "\n")+"\n" {
				t.Errorf("%s%s%s", shown, text, log)
			}
		})
	}
}

// inNetwork runs a command while a mock serves its hosts, and counts the requests.
func inNetwork(t *testing.T, m *apis.Mock, sent *int, args ...string) (status int, shown string) {
	t.Helper()
	var output bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		network := api.NewNetwork()
		for _, host := range m.Hosts {
			stop, err := network.Serve(host, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				*sent++
				m.Handler.ServeHTTP(w, r)
			}))
			if err != nil {
				t.Fatal(err)
			}
			defer stop()
		}
		w := &world{Stdin: strings.NewReader(""), Stdout: &output, Stderr: &output, Getenv: func(string) string { return "" }, Now: time.Now, Dial: network.Dial}
		status = invoke(context.Background(), w, append([]string{"sluice"}, args...))
		http.DefaultClient.CloseIdleConnections()
	})
	return status, output.String()
}
