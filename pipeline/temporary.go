package pipeline

import "errors"

// Temporary marks err as one that may be gone when the same run is tried again
// later: the API or the destination was unavailable after all retries (exit
// status 75). Temporary(nil) is nil.
func Temporary(err error) error {
	if err == nil {
		return nil
	}
	return temporary{err}
}

// IsTemporary tells whether err, or an error it wraps, was marked by [Temporary].
func IsTemporary(err error) bool {
	return errors.As(err, &temporary{})
}

type temporary struct{ error }

func (t temporary) Unwrap() error { return t.error }
