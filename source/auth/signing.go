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

// nonce is a text that no two requests have, unless they ask for the same thing
// in the same nanosecond. Who does not know key cannot foresee it.
func nonce(now time.Time, key string, parts ...string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(strconv.FormatInt(now.UnixNano(), 10) + "\n" + strings.Join(parts, "\n")))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}
