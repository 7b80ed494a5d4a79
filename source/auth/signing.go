package auth

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/pipeline/secret"
	"sluice/source/config"
	"sluice/source/expr"
	"sluice/source/request"
)

// percent encodes all but the unreserved characters of RFC 3986.
func percent(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}

// bodyOf returns what a request has as its body.
func bodyOf(h *http.Request) ([]byte, error) {
	if h.GetBody == nil {
		return nil, nil
	}
	body, err := h.GetBody()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(body)
}

// nonce makes a text that only equal requests of one nanosecond share. It depends on the request and the
// nanosecond, so that a replayed run sends the same, and on key, so that nobody else can predict it.
func nonce(key string, now time.Time, parts ...string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(strconv.FormatInt(now.UnixNano(), 10) + "\n" + strings.Join(parts, "\n")))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// aboutLater are the contexts that about gives, while there is no request yet.
func aboutLater() expr.Contexts {
	parts, _ := requestParts(&request.Request{URL: &url.URL{}})
	have := slices.Sorted(maps.Keys(parts))
	return expr.Contexts{"query": nil, "request": func(path string) (expr.Value, bool) {
		fault := fmt.Sprintf("request has no %q%s", path, config.Have(path, have))
		return expr.Value{Fault: fault}, slices.Contains(have, path)
	}}
}

// about are the contexts of a request before it is signed: query, and request with its address and parts.
func about(r *request.Request, known *secret.Set) expr.Contexts {
	parts, query := requestParts(r)
	value := func(text []byte) expr.Value {
		plain, _ := item.Text(text)
		return expr.Value{JSON: text, Secret: known.Redact(plain) != plain}
	}
	return expr.Contexts{
		"query": func(path string) (expr.Value, bool) {
			text, ok := parameter(query, path)
			return value(item.Quote(text)), ok
		},
		"request": func(path string) (expr.Value, bool) {
			part, ok := parts[path]
			return value(part), ok
		},
	}
}

// requestParts are the values of the context request, and the query as text.
func requestParts(r *request.Request) (map[string]jsontext.Value, string) {
	address := r.Address()
	u, err := url.Parse(address)
	if err != nil {
		// What is wrong shows when it is sent.
		u = r.URL
	}
	usualPort := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	port := cmp.Or(u.Port(), usualPort, "0")
	return map[string]jsontext.Value{
		"url":         item.Quote(address),
		"path":        item.Quote(u.EscapedPath()),
		"queryString": item.Quote(u.RawQuery),
		"method":      item.Quote(r.Method.HTTP()),
		"hostname":    item.Quote(u.Hostname()),
		"port":        jsontext.Value(port),
		"resource":    item.Quote(u.RequestURI()),
	}, u.RawQuery
}

// parameter returns the value of the first parameter in a query that is called
// path, or has the steps of path as its indices: a.0.b is a[0][b].
func parameter(query, path string) (string, bool) {
	first, steps, _ := strings.Cut(path, ".")
	indexed := first
	if steps != "" {
		indexed += "[" + strings.ReplaceAll(steps, ".", "][") + "]"
	}
	for _, name := range []string{path, indexed} {
		for _, pair := range decodePairs(query) {
			if pair[0] == name {
				return pair[1], true
			}
		}
	}
	return "", false
}

// decodePairs reads a query or a form.
func decodePairs(text string) (all [][2]string) {
	for _, q := range request.ParseQuery(text) {
		_, value, _ := strings.Cut(q.Raw, "=")
		all = append(all, [2]string{q.Name, request.Unescape(value)})
	}
	return all
}
