package expr_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"sluice/source/expr"
)

// inPEM is a key in PEM, as a string in JSON.
func inPEM(kind string, der []byte, err error) string {
	if err != nil {
		panic(err)
	}
	text, _ := json.Marshal(string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})))
	return string(text)
}

func TestATokenIsSignedByTheKeyThatIsGiven(t *testing.T) {
	r, _ := rsa.GenerateKey(rand.Reader, 2048)
	e, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	pkcs8 := func(key any) string {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		return inPEM("PRIVATE KEY", der, err)
	}
	sec1, err := x509.MarshalECPrivateKey(e)
	parameters := strings.TrimSuffix(inPEM("EC PARAMETERS", []byte{6, 8}, nil), `"`)
	for name, c := range map[string]struct {
		algorithm, key string
		verified       any
	}{
		"a secret":                 {"HS256", `"s3cret"`, []byte("s3cret")},
		"PKCS 8, RSA":              {"RS256", pkcs8(r), &r.PublicKey},
		"PKCS 1":                   {"RS256", inPEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(r), nil), &r.PublicKey},
		"PKCS 8, EC":               {"ES256", pkcs8(e), &e.PublicKey},
		"SEC 1":                    {"ES256", inPEM("EC PRIVATE KEY", sec1, err), &e.PublicKey},
		"SEC 1, as openssl writes": {"ES256", parameters + strings.TrimPrefix(inPEM("EC PRIVATE KEY", sec1, err), `"`), &e.PublicKey},
	} {
		var text string
		got := eval(t, call("jwt", `"`+c.algorithm+`"`, `{"iss":"app","iat":`+call("time")+`,"n":9007199254740993}`, c.key, `{"kid":"k-1"}`))
		if json.Unmarshal([]byte(got), &text) != nil {
			t.Errorf("%s: %s", name, got)
			continue
		}
		token, err := jwt.Parse(text, func(token *jwt.Token) (any, error) { return c.verified, nil }, jwt.WithJSONNumber(), jwt.WithValidMethods([]string{c.algorithm}))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		claims, _ := json.Marshal(token.Claims)
		if string(claims) != `{"iat":1769862896,"iss":"app","n":9007199254740993}` || token.Header["kid"] != "k-1" || token.Header["typ"] != "JWT" {
			t.Errorf("%s: claims %s, header %v", name, claims, token.Header)
		}
	}
}

// The token was made with openssl dgst.
func TestATokenIsTheSameAsThatOfAnotherProgram(t *testing.T) {
	const want = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbm4ifQ.HYl7YunO5Rohhr3JEVx5eimO6xeIIC3T-H0448pgNfk"
	cases{{"HS256", call("jwt", `"HS256"`, `{"sub":"ann"}`, `"key"`), `"` + want + `"`}}.run(t)
}

func TestABadKeyOrClaimIsAnErrorAtItsPlace(t *testing.T) {
	r, _ := rsa.GenerateKey(rand.Reader, 2048)
	wide, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	_, other, _ := ed25519.GenerateKey(rand.Reader)
	der, err := x509.MarshalPKCS8PrivateKey(wide)
	edwards, edErr := x509.MarshalPKCS8PrivateKey(other)
	rsaPEM := inPEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(r), nil)
	noKey := "args[2]: jwt cannot sign with this key: it is of another kind, is damaged, or has a password. " +
		"RS256 needs a private RSA key (PKCS 8 or PKCS 1), ES256 one on the curve P-256 (PKCS 8 or SEC 1). A " +
		"password is removed by openssl pkey -in key.pem -out plain.pem"
	cases{
		{"an algorithm", call("jwt", `"RS265"`, `{}`, `"k"`), "args[0]: unknown algorithm for jwt (have ES256, HS256, RS256; did you mean RS256?)"},
		{"none", call("jwt", `"none"`, `{}`, `"k"`), "args[0]: unknown algorithm for jwt (have ES256, HS256, RS256)"},
		{"claims", call("jwt", `"HS256"`, `"a"`, `"k"`), "args[1]: jwt needs an object here, not a string"},
		{"header", call("jwt", `"HS256"`, `{}`, `"k"`, `["a"]`), "args[3]: jwt needs an object here, not an array"},
		{"alg", call("jwt", `"HS256"`, `{}`, `"k"`, `{"alg":"none"}`), "args[3]: alg is what the first argument of jwt says: leave it out here"},
		{"an empty secret", call("jwt", `"HS256"`, `{}`, `""`), "args[2]: the secret of HS256 must not be empty"},
		{"a PEM file as a secret", call("jwt", `"HS256"`, `{}`, rsaPEM), "args[2]: HS256 needs a shared secret, and this is a PEM file: take RS256 or ES256"},
		{"no PEM", call("jwt", `"RS256"`, `{}`, `"key"`), "args[2]: jwt needs a private key in PEM here, whose first line is -----BEGIN PRIVATE KEY-----: take the whole file by --attr-file '#name=key.pem'"},
		{"a public key", call("jwt", `"RS256"`, `{}`, inPEM("PUBLIC KEY", []byte("x"), nil)), "args[2]: jwt needs a private key in PEM here, whose first line is -----BEGIN PRIVATE KEY-----: take the whole file by --attr-file '#name=key.pem'"},
		{"a key with a password", call("jwt", `"RS256"`, `{}`, inPEM("ENCRYPTED PRIVATE KEY", []byte("x"), nil)), noKey},
		{"a damaged key", call("jwt", `"RS256"`, `{}`, inPEM("PRIVATE KEY", []byte("x"), nil)), noKey},
		{"an EC key for RS256", call("jwt", `"RS256"`, `{}`, inPEM("PRIVATE KEY", der, err)), noKey},
		{"another curve", call("jwt", `"ES256"`, `{}`, inPEM("PRIVATE KEY", der, err)), noKey},
		{"an Ed25519 key", call("jwt", `"ES256"`, `{}`, inPEM("PRIVATE KEY", edwards, edErr)), noKey},
		{"an RSA key for ES256", call("jwt", `"ES256"`, `{}`, rsaPEM), noKey},
	}.run(t)
}

func TestAKeyIsSecretLineByLine(t *testing.T) {
	r, _ := rsa.GenerateKey(rand.Reader, 2048)
	key := inPEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(r), nil)
	var told []string
	env := expr.Env{Now: atNoon, Secret: func(_, text string) { told = append(told, text) }}
	e, err := compile(t, env, call("jwt", `"RS256"`, `{"iat":`+call("time")+`}`, key))
	if err != nil {
		t.Fatal(err)
	}
	var text string
	_ = json.Unmarshal([]byte(key), &text)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, secret := range append(lines[1:len(lines)-1], text) {
		if !strings.Contains(strings.Join(told, "\x00"), secret) {
			t.Errorf("%q is not secret", secret)
		}
	}
	if v, err := e.Eval(env); err != nil || !v.Secret || !e.PerRequest() {
		t.Errorf("%v, secret %v, for each request %v", err, v.Secret, e.PerRequest())
	}
}
