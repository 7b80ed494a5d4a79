package run

import (
	"regexp"
	"testing"
	"time"
)

func TestTheIDOfARunIsAULID(t *testing.T) {
	form := regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	for ms, want := range map[int64]string{
		0:             "0000000000",
		1469918176385: "01ARYZ6S41",
		1<<48 - 1:     "7ZZZZZZZZZ",
	} {
		at := time.UnixMilli(ms)
		id := newID(at)
		if !form.MatchString(id) || id[:len(want)] != want {
			t.Errorf("%d ms: %s, want %s and 16 characters", ms, id, want)
		}
		if id == newID(at) {
			t.Errorf("%s twice", id)
		}
	}
}
