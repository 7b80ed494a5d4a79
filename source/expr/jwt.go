package expr

import (
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// signJWT is the name of the function whose result is good for a short time only.
const signJWT = "jwt"

// signings are the algorithms of jwt.
var signings = map[string]jwt.SigningMethod{
	"HS256": jwt.SigningMethodHS256,
	"RS256": jwt.SigningMethodRS256,
	"ES256": jwt.SigningMethodES256,
}

// signedToken makes a signed token (RFC 7519): jwt(algorithm, claims, key[, header]).
func signedToken(in *functionInput) jsontext.Value {
	algorithm := in.text(0)
	method, ok := signings[algorithm]
	if !ok {
		have := config.Have(algorithm, slices.Sorted(maps.Keys(signings)))
		return in.fault(0, "unknown algorithm for jwt%s", have)
	}
	token := jwt.NewWithClaims(method, jwt.MapClaims(in.object(1)))
	if len(in.values) > 3 {
		header := in.object(3)
		if _, there := header["alg"]; there {
			return in.fault(3, "alg is what the first argument of jwt says: leave it out here")
		}
		maps.Copy(token.Header, header)
	}
	text := in.text(2)
	if in.err != nil {
		return nil
	}
	key, err := signingKey(algorithm, text)
	if err != nil {
		return in.fault(2, "%s", err)
	}
	signed, err := token.SignedString(key)
	if err != nil {
		// It may be on another curve.
		return in.fault(2, "%s", errKey)
	}
	return item.Quote(signed)
}

// object returns an argument, which must be an object, with the digits of its numbers.
func (in *functionInput) object(i int) (members map[string]any) {
	if kind := item.Kind(in.values[i].JSON); kind != '{' {
		in.fault(i, "%s needs an object here, not %s", in.name, item.Noun(kind))
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(in.values[i].JSON)))
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		in.fault(i, "%s needs an object that can be read here", in.name)
	}
	return members
}

var errKey = errors.New("jwt cannot sign with this key: it is of another kind, is damaged, or has a password. " +
	"RS256 needs a private RSA key (PKCS 8 or PKCS 1), ES256 one on the curve P-256 (PKCS 8 or SEC 1). A " +
	"password is removed by openssl pkey -in key.pem -out plain.pem")

// signingKey reads what an algorithm signs with.
func signingKey(algorithm, text string) (key any, err error) {
	if algorithm == "HS256" {
		return sharedSecret(text)
	}
	// Parameters of the curve may stand before it.
	begin := regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`).FindStringIndex(text)
	if begin == nil {
		return nil, errors.New("jwt needs a private key in PEM here, whose first line is " +
			"-----BEGIN PRIVATE KEY-----: take the whole file by --attr-file '#name=key.pem'")
	}
	file := []byte(text[begin[0]:])
	if algorithm == "RS256" {
		key, err = jwt.ParseRSAPrivateKeyFromPEM(file)
	} else {
		key, err = jwt.ParseECPrivateKeyFromPEM(file)
	}
	if err != nil {
		return nil, errKey
	}
	return key, nil
}

// sharedSecret reads what HS256 signs with.
func sharedSecret(text string) (key any, err error) {
	switch {
	case text == "":
		return nil, errors.New("the secret of HS256 must not be empty")
	case strings.Contains(text, "-----BEGIN "):
		return nil, errors.New("HS256 needs a shared secret, and this is a PEM file: take RS256 or ES256")
	}
	return []byte(text), nil
}
