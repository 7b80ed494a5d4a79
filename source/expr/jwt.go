package expr

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"

	"sluice/pipeline/item"
	"sluice/source/config"
)

// signJWT is the name of the function whose result is good for a short time only.
const signJWT = "jwt"

// A signing is an algorithm of jwt and what reads its key.
type signing struct {
	method jwt.SigningMethod
	key    func(text string) (any, error)
}

// signings are the algorithms of jwt.
var signings = map[string]signing{
	"HS256": {jwt.SigningMethodHS256, sharedSecret},
	"RS256": {jwt.SigningMethodRS256, rsaKey},
	"ES256": {jwt.SigningMethodES256, ecKey},
}

// signedToken makes a signed token (RFC 7519): jwt(algorithm, claims, key[, header]).
func signedToken(in *input) (jsontext.Value, error) {
	algorithm, err := in.text(0)
	if err != nil {
		return nil, err
	}
	s, ok := signings[algorithm]
	if !ok {
		return nil, in.fault(0, "unknown algorithm for jwt%s", config.Have(algorithm, []string{"ES256", "HS256", "RS256"}))
	}
	claims, err := in.object(1)
	if err != nil {
		return nil, err
	}
	token := jwt.NewWithClaims(s.method, jwt.MapClaims(claims))
	if len(in.values) > 3 {
		header, err := in.object(3)
		if err != nil {
			return nil, err
		}
		if _, there := header["alg"]; there {
			return nil, in.fault(3, "alg is what the first argument of jwt says: leave it out here")
		}
		for name, value := range header {
			token.Header[name] = value
		}
	}
	text, err := in.text(2)
	if err != nil {
		return nil, err
	}
	key, err := s.key(text)
	if err != nil {
		return nil, in.fault(2, "%s", err)
	}
	signed, err := token.SignedString(key)
	if err != nil {
		return nil, in.fault(2, "jwt cannot sign with this key by %s: take another key", algorithm)
	}
	return item.Quote(signed), nil
}

// object returns an argument, which must be an object, with the digits of its numbers.
func (in *input) object(i int) (map[string]any, error) {
	if kind := item.Kind(in.values[i].JSON); kind != '{' {
		return nil, in.fault(i, "%s needs an object here, not %s", in.name, item.Noun(kind))
	}
	members := map[string]any{}
	d := json.NewDecoder(strings.NewReader(string(in.values[i].JSON)))
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		return nil, in.fault(i, "%s needs an object here: %v", in.name, err)
	}
	return members, nil
}

// hideKey makes a key secret, and each line of it: a message may show a part.
func (c *compiler) hideKey(key Value) {
	text, _ := item.Text(key.JSON)
	if c.evaluation.env.Secret == nil || text == "" {
		return
	}
	c.evaluation.env.Secret(signJWT, text)
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") {
			c.evaluation.env.Secret(signJWT, line)
		}
	}
}

func sharedSecret(text string) (any, error) {
	switch {
	case text == "":
		return nil, errors.New("the secret of HS256 must not be empty")
	case strings.Contains(text, "-----BEGIN "):
		return nil, errors.New("HS256 needs a shared secret, and this is a PEM file: take RS256 or ES256")
	}
	return []byte(text), nil
}

func rsaKey(text string) (any, error) {
	key, err := privateKey(text)
	if err != nil {
		return nil, err
	}
	rsa, err := jwt.ParseRSAPrivateKeyFromPEM(key)
	if err != nil {
		return nil, errors.New("RS256 needs a private RSA key (PKCS 8 or PKCS 1), and this is none, or is damaged")
	}
	return rsa, nil
}

func ecKey(text string) (any, error) {
	key, err := privateKey(text)
	if err != nil {
		return nil, err
	}
	var ec *ecdsa.PrivateKey
	if ec, err = jwt.ParseECPrivateKeyFromPEM(key); err != nil || ec.Curve != elliptic.P256() {
		return nil, errors.New("ES256 needs a private key on the curve P-256 (PKCS 8 or SEC 1), and this is none, or is damaged")
	}
	return ec, nil
}

// privateKey returns the first private key of a PEM file, in PEM.
func privateKey(text string) ([]byte, error) {
	for rest := []byte(text); ; {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		switch {
		case block == nil:
			return nil, errors.New("jwt needs a private key in PEM here, whose first line is -----BEGIN PRIVATE KEY-----: take the whole file by --attr-file '#name=key.pem'")
		case !strings.HasSuffix(block.Type, "PRIVATE KEY"):
		case strings.Contains(block.Type, "ENCRYPTED") || len(block.Headers) > 0:
			return nil, errors.New("the key is protected by a password: write it without one, with openssl pkey -in key.pem -out plain.pem")
		default:
			return pem.EncodeToMemory(block), nil
		}
	}
}
