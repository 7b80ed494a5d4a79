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
	"hash/adler32"
	"hash/crc32"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// An algorithm makes a hash of a text.
type algorithm struct {
	make          func() hash.Hash
	cryptographic bool // hash_hmac takes no other
}

// algorithms are all that there are, under the names that PHP gives them.
var algorithms = map[string]algorithm{
	"adler32":    {func() hash.Hash { return adler32.New() }, false},
	"crc32b":     {func() hash.Hash { return crc32.NewIEEE() }, false},
	"crc32c":     {func() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }, false},
	"fnv132":     {func() hash.Hash { return fnv.New32() }, false},
	"fnv164":     {func() hash.Hash { return fnv.New64() }, false},
	"fnv1a32":    {func() hash.Hash { return fnv.New32a() }, false},
	"fnv1a64":    {func() hash.Hash { return fnv.New64a() }, false},
	"md5":        {md5.New, true},
	"sha1":       {sha1.New, true},
	"sha224":     {sha256.New224, true},
	"sha256":     {sha256.New, true},
	"sha3-224":   {func() hash.Hash { return sha3.New224() }, true},
	"sha3-256":   {func() hash.Hash { return sha3.New256() }, true},
	"sha3-384":   {func() hash.Hash { return sha3.New384() }, true},
	"sha3-512":   {func() hash.Hash { return sha3.New512() }, true},
	"sha384":     {sha512.New384, true},
	"sha512":     {sha512.New, true},
	"sha512/224": {sha512.New512_224, true},
	"sha512/256": {sha512.New512_256, true},
}

func md5Of(text string) string { return digest(md5.New(), text) } //nolint:gosec // a function of the dialect, not our protection

func sha1Of(text string) string { return digest(sha1.New(), text) } //nolint:gosec // a function of the dialect, not our protection

// digest returns the hash of text as lower-case hex.
func digest(h hash.Hash, text string) string {
	h.Write([]byte(text)) // a hash never fails
	return hex.EncodeToString(h.Sum(nil))
}

// hashOf hashes data with an algorithm: hash(algorithm, data).
func hashOf(in *input) (jsontext.Value, error) {
	a, err := in.algorithm(func(algorithm) bool { return true })
	if err != nil {
		return nil, err
	}
	data, err := in.text(1)
	if err != nil {
		return nil, err
	}
	return item.Quote(digest(a.make(), data)), nil
}

// hashHMAC signs data with a key: hash_hmac(algorithm, data, key).
func hashHMAC(in *input) (jsontext.Value, error) {
	a, err := in.algorithm(func(a algorithm) bool { return a.cryptographic })
	if err != nil {
		return nil, err
	}
	data, err := in.text(1)
	if err != nil {
		return nil, err
	}
	key, err := in.text(2)
	if err != nil {
		return nil, err
	}
	return item.Quote(digest(hmac.New(a.make, []byte(key)), data)), nil
}

// algorithm returns the one that the first argument names, without regard to
// case, of those that will do.
func (in *input) algorithm(will func(algorithm) bool) (algorithm, error) {
	name, err := in.text(0)
	if err != nil {
		return algorithm{}, err
	}
	a, known := algorithms[strings.ToLower(name)]
	if known && will(a) {
		return a, nil
	}
	var have []string
	for _, name := range slices.Sorted(maps.Keys(algorithms)) {
		if will(algorithms[name]) {
			have = append(have, name)
		}
	}
	return algorithm{}, in.fault(0, "unknown algorithm for %s%s, have %s",
		in.call.name, config.Suggest(name, have), strings.Join(have, ", "))
}
