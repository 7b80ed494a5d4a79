package transport

import "io"

// RetryAfter reads what an API asks to wait; negative is nothing.
var RetryAfter = retryAfter

// CleanLogin is what a recording shows of a login's answer.
var CleanLogin = cleanLogin

// NewJSONMender makes JSON again of what has lost its secrets.
func NewJSONMender(w io.Writer) io.WriteCloser { return &jsonMender{w: w} }
