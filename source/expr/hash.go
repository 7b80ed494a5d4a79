package expr

import (
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // a function of the dialect, not our protection
	"crypto/sha1" //nolint:gosec // a function of the dialect, not our protection
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// algorithms have the names that PHP gives them.
var algorithms = map[string]func() hash.Hash{
	"md5":        md5.New,
	"sha1":       sha1.New,
	"sha224":     sha256.New224,
	"sha256":     sha256.New,
	"sha3-224":   func() hash.Hash { return sha3.New224() },
	"sha3-256":   func() hash.Hash { return sha3.New256() },
	"sha3-384":   func() hash.Hash { return sha3.New384() },
	"sha3-512":   func() hash.Hash { return sha3.New512() },
	"sha384":     sha512.New384,
	"sha512":     sha512.New,
	"sha512/224": sha512.New512_224,
	"sha512/256": sha512.New512_256,
}

// hashText makes a function of one hash.
func hashText(algorithm func() hash.Hash) func(*functionInput) jsontext.Value {
	return onText(func(text string) string { return digest(algorithm(), text) })
}

// digest returns the hash of text as lower-case hex.
func digest(h hash.Hash, text string) string {
	// A hash never fails.
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// hashWith is hash(algorithm, data) and hash_hmac(algorithm, data, key).
func hashWith(in *functionInput) jsontext.Value {
	args := in.texts()
	algorithm, ok := algorithms[strings.ToLower(args[0])]
	if !ok {
		have := config.Have(args[0], slices.Sorted(maps.Keys(algorithms)))
		return in.fault(0, "unknown algorithm for %s%s", in.name, have)
	}
	if len(args) > 2 {
		return item.Quote(digest(hmac.New(algorithm, []byte(args[2])), args[1]))
	}
	return item.Quote(digest(algorithm(), args[1]))
}
