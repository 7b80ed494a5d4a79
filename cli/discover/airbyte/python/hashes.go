package python

import (
	"crypto/hmac"
	"crypto/md5"  //nolint:gosec // what templates ask for
	"crypto/sha1" //nolint:gosec // what templates ask for
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
)

// Hashes are those that both Python and our function hash know by the same name.
var Hashes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
}

// hashed is the hash of a text, behind which a salt may stand.
func hashed(text string, arguments Arguments) (any, error) {
	kind, isNamed := arguments["hash_type"].(string)
	if !isNamed {
		kind = "md5"
	}
	begin := Hashes[kind]
	if begin == nil {
		return nil, fmt.Errorf("the hash %s is not understood", kind)
	}
	if salt, ok := arguments["salt"]; ok && Truthy(salt) {
		text += Rendered(salt)
	}
	h := begin()
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil)), nil
}

// signed is the code of a text by a key.
func signed(text string, arguments Arguments) (any, error) {
	kind, isNamed := arguments["hash_type"].(string)
	key, ok := arguments["key"]
	if !ok || isNamed && kind != "sha256" {
		return nil, errors.New("it wants a key, and sha256")
	}
	h := hmac.New(sha256.New, []byte(Rendered(key)))
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil)), nil
}
