package transport

// RetryAfter reads what an API asks to wait; negative is nothing.
var RetryAfter = retryAfter
