package s3

import (
	"net/http"
	"time"
)

// Through returns o with its requests sent through wrap.
func Through(o Options, wrap func(http.RoundTripper) http.RoundTripper) Options {
	o.wrap = wrap
	return o
}

// InParts returns o with small parts, and few of them allowed.
func InParts(o Options, size int64, most int) Options {
	l := usual(size)
	l.smallestPart, l.parts, l.looking = 1, most, time.Second/2
	o.PartSize, o.limits = size, &l
	return o
}

// Brisk returns o with hardly a pause between attempts.
func Brisk(o Options) Options {
	l := usual(MinPartSize)
	l.pause = 10 * time.Millisecond
	o.limits = &l
	return o
}

// Glancing returns o that looks for a second for an object that is gone.
func Glancing(o Options) Options {
	l := usual(MinPartSize)
	l.looking = time.Second
	o.limits = &l
	return o
}

// Hasty returns o with little patience.
func Hasty(o Options, patience time.Duration) Options {
	o = Brisk(o)
	l := o.limits
	l.dial, l.send, l.answer, l.complete, l.trying = patience, patience, patience, patience, patience
	return o
}

// Stubborn returns o with ten attempts for each request, however long they take: more
// than there are connections that can be dead before one is dialled.
func Stubborn(o Options) Options {
	o = Brisk(o)
	o.limits.trying, o.limits.tries = 0, 10
	return o
}
