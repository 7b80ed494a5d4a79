package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"sluice/pipeline/item"
	"sluice/source/config"
	"sluice/source/request"
)

// decodeAWS decodes the member aws, whose values may be expressions with attr.
func decodeAWS(o *config.Object, env Env, p *config.Problems) *awsKey {
	signature := o.Object("signature", "Signature of every request.")
	o.Require("signature")
	o.Done()
	creds := signature.Object("credentials", "What requests are signed with.")
	signature.Require("credentials")
	signature.Done()
	needed := func(name, doc string) string {
		n := creds.Any(name, doc, "string", "number", "expression")
		creds.Require(name)
		value, ok := evaluate(n, env, p)
		text, _ := item.Text(value)
		if ok && text == "" {
			p.Errorf(n, "must be a string that is not empty")
		}
		return text
	}
	a := &awsKey{
		AccessKeyID: needed("accessKeyId", "Id of the access key."),
		SecretKey:   needed("#secretKey", "The secret of that key."),
		Service:     needed("serviceName", "Service that is signed for, such as execute-api."),
		Region:      needed("regionName", "Region that is signed for, such as eu-west-1."),
	}
	creds.Done()
	env.Secrets.Add(a.SecretKey)
	return a
}

// awsKey is what a signature of AWS is made with.
type awsKey struct{ AccessKeyID, SecretKey, Service, Region string }

// withAWS adds to s, which may be nil, AWS Signature Version 4.
func withAWS(s *request.Signer, a *awsKey, env Env) *request.Signer {
	if s == nil {
		s = &request.Signer{}
	}
	first, signer := s.Finish, v4.NewSigner()
	s.Finish = func(h *http.Request) error {
		if first != nil {
			if err := first(h); err != nil {
				return err
			}
		}
		return signAWS(signer, h, a, env)
	}
	return s
}

func signAWS(signer *v4.Signer, h *http.Request, a *awsKey, env Env) error {
	body, err := bodyOf(h)
	if err != nil {
		return err
	}
	h.URL.RawQuery = strings.ReplaceAll(h.URL.RawQuery, ";", "%3B") // else the signer leaves the parameter out
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	s3 := a.Service == "s3"
	if s3 { // it signs the path as it would write it itself, and needs the hash in a header
		h.URL.RawPath = strings.ReplaceAll(percent(h.URL.Path), "%2F", "/")
		h.Header.Set("X-Amz-Content-Sha256", hash)
	}
	encodings := h.Header["Accept-Encoding"]
	delete(h.Header, "Accept-Encoding") // it is not signed: a proxy may change it
	err = signer.SignHTTP(h.Context(), aws.Credentials{AccessKeyID: a.AccessKeyID, SecretAccessKey: a.SecretKey}, h, hash, a.Service, a.Region, env.Now(),
		func(o *v4.SignerOptions) { o.DisableURIPathEscaping = s3 })
	if encodings != nil {
		h.Header["Accept-Encoding"] = encodings
	}
	if err != nil {
		return err
	}
	_, signature, _ := strings.Cut(h.Header.Get("Authorization"), "Signature=")
	env.Secrets.AddSignature(signature)
	return nil
}
