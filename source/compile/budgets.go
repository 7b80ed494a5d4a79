package compile

import (
	"net/url"
	"regexp"
	"strings"

	"sluice/source/config"
	"sluice/source/transport/quota"
)

// budgets are how many requests the API allows, counted over all documents of a configuration.
type budgets struct {
	quotas *quota.Rules

	// The base addresses of the documents.
	bases []*url.URL
}

// newBudgets reads the rates of the first document: those of iterations have the same.
func newBudgets(docs []*config.Document, o *Options, p *config.Problems) *budgets {
	b := &budgets{}
	if len(docs) == 0 {
		return b
	}
	var rules []quota.Rule
	for _, r := range docs[0].Rates {
		rule := quota.Rule{Text: r.Text, For: r.For, Limit: r.Limit, Window: r.Window, Cost: r.Cost}
		if r.For != "" {
			rule.Applies = b.endpoints(r.For)
		}
		share, ok := rule.Among(max(o.Shards, 1))
		if !ok {
			p.Errorf(r.Node, "cannot be divided among %d shards: one request costs %d of %d, so at most %d can share it",
				o.Shards, r.Cost, r.Limit, r.Limit/r.Cost)
		}
		rules = append(rules, share)
	}
	b.quotas = quota.New(rules)
	return b
}

// learn takes in the base address of a document.
func (b *budgets) learn(base *url.URL) { b.bases = append(b.bases, base) }

// endpoints tells which addresses a pattern is about: it is that of a path below a base address, or of a host and path.
func (b *budgets) endpoints(pattern string) func(*url.URL) bool {
	text := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimPrefix(pattern, "/")), `\*`, ".*")
	matches := regexp.MustCompile("^(?s:" + text + ")$").MatchString
	return func(u *url.URL) bool {
		path := u.EscapedPath()
		if matches(strings.TrimPrefix(path, "/")) || matches(u.Host+path) {
			return true
		}
		for _, base := range b.bases {
			below, isBelow := strings.CutPrefix(path, base.EscapedPath())
			if isBelow && base.Host == u.Host && matches(strings.TrimPrefix(below, "/")) {
				return true
			}
		}
		return false
	}
}
