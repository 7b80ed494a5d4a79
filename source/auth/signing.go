package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
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

// nonces makes texts that no two requests have. They depend on the request and the
// time, so that a replayed run sends the same, and on key, so that nobody else can predict them.
type nonces struct {
	key string

	mu   sync.Mutex
	at   int64          // the last nanosecond that there was a nonce in
	made map[string]int // how often one was made of the same parts in it
}

func (n *nonces) next(now time.Time, parts ...string) string {
	all := strings.Join(parts, "\n")
	mac := hmac.New(sha256.New, []byte(n.key))
	mac.Write([]byte(strconv.FormatInt(now.UnixNano(), 10) + "\n" + all))
	n.mu.Lock()
	defer n.mu.Unlock()
	if at := now.UnixNano(); n.at != at || n.made == nil {
		n.at, n.made = at, map[string]int{}
	}
	if again := n.made[all]; again > 0 {
		mac.Write([]byte("\n" + strconv.Itoa(again)))
	}
	n.made[all]++
	return hex.EncodeToString(mac.Sum(nil)[:16])
}
