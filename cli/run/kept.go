package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

const (
	// Of seeds that are replaced what they led to is kept too, of the last ones: a person may have set a wrong one.
	mostSeeds = 20

	// In bytes, that are read with an intent beside them.
	mostTokens = maxFile - tokensRoom
)

// keptTokens is what --tokens holds.
type keptTokens struct {
	// By the hash of the attributes that they began with.
	Tokens map[string]keptToken `json:"tokens"`

	// nil: nobody logs in.
	Intent *loginIntent `json:"intent,omitempty"`
}

// keptToken is what the last login with a seed gave.
type keptToken struct {
	Values map[string]string `json:"values"`
	At     time.Time         `json:"at"`
}

// A loginIntent says that a process is about to log in, or does.
type loginIntent struct {
	RunID string    `json:"runId"`
	Time  time.Time `json:"time"`

	// It tells the process from all others.
	Attempt string `json:"attempt"`

	// Of [target.Machine]; may be empty.
	Machine string `json:"machine,omitempty"`
}

// decodeTokens reads what stands at a place; where nothing does there are no tokens.
func decodeTokens(text []byte) (k keptTokens, ok bool) {
	if isBlank(text) {
		return k, true
	}
	err := json.Unmarshal(text, &k)
	return k, err == nil && k.Tokens != nil
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// isOther tells whether k holds the intent of another attempt than this process's, or a token that is not among those
// that it knows.
func (k keptTokens) isOther(known keptTokens, attempt string) bool {
	if k.Intent != nil && k.Intent.Attempt != attempt {
		return true
	}
	for seed, token := range k.Tokens {
		mine, isKnown := known.Tokens[seed]
		if !isKnown || !mine.At.Equal(token.At) || !maps.Equal(mine.Values, token.Values) {
			return true
		}
	}
	return false
}

// with are the tokens with what a login gave, nil for nothing.
func (k keptTokens) with(seed string, kept map[string]string, now time.Time) map[string]keptToken {
	all := map[string]keptToken{}
	maps.Copy(all, k.Tokens)
	if kept == nil {
		return all
	}
	all[seed] = keptToken{kept, now}
	return newest(all, mostSeeds)
}

// encode writes tokens down as they stand in the file, without the oldest of those that [Tokens.read] would not take.
func (k *keptTokens) encode() ([]byte, error) {
	for {
		var text bytes.Buffer
		e := json.NewEncoder(&text)
		// Such a text would be six times as long.
		e.SetEscapeHTML(false)
		err := e.Encode(k)
		isTooLong := k.Intent == nil && text.Len() > mostTokens
		if err != nil || !isTooLong {
			return text.Bytes(), err
		}
		if len(k.Tokens) < 2 {
			return nil, fmt.Errorf("it has %d bytes, and at most %d are kept", text.Len(), mostTokens)
		}
		k.Tokens = newest(k.Tokens, len(k.Tokens)-1)
	}
}

// newest are so many of the tokens that were kept last.
func newest(all map[string]keptToken, n int) map[string]keptToken {
	few := maps.Clone(all)
	seeds := slices.SortedFunc(maps.Keys(all), func(a, b string) int { return all[b].At.Compare(all[a].At) })
	for _, old := range seeds[min(len(seeds), n):] {
		delete(few, old)
	}
	return few
}
