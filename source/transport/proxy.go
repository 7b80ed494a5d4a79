package transport

import (
	"context"
	"net/http"
	"net/url"
)

// A proxyError is the answer of a proxy that opens no connection to the server.
type proxyError struct {
	// Without user and password.
	proxy string

	server string
	status int
}

// proxyRefuses is the error of a proxy that opens no connection to a server of https; nil: it has opened one.
func proxyRefuses(_ context.Context, proxy *url.URL, asked *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyError{proxy: proxy.Host, server: asked.Host, status: answer.StatusCode}
}

// Error says what to do, too.
func (e *proxyError) Error() string {
	text := "the proxy " + e.proxy + " refuses to connect to " + e.server + ": " + statusText(e.status)
	if e.status == http.StatusProxyAuthRequired {
		return text + ": " + credentialsOfProxy
	}
	return text + ": ask who runs it, or add the host to NO_PROXY"
}

// credentialsOfProxy says where to write the user and password for a proxy.
const credentialsOfProxy = "write user and password into HTTPS_PROXY or HTTP_PROXY, as http://user:password@host:port"

// isLasting tells whether the proxy would answer the same at the next attempt.
func (e *proxyError) isLasting() bool {
	isClient := e.status/100 == 4
	return isClient && e.status != http.StatusRequestTimeout && e.status != http.StatusTooManyRequests
}
