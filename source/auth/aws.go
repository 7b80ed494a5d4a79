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
	"sluice/source/expr"
)

var _ Finisher = &awsSignature{}

// awsSignature signs requests with AWS Signature Version 4, whatever their
// authentication type has done before.
type awsSignature struct {
	env             Env
	signer          *v4.Signer
	credentials     aws.Credentials
	service, region string
}

// NewSignature decodes the member aws; a nil node gives a nil finisher. The values
// may be expressions with attr.
func NewSignature(n *config.Node, env Env, p *config.Problems) Finisher {
	o := config.NewObject(n, p)
	if o.Node() == nil {
		return nil
	}
	s := &awsSignature{env: env, signer: v4.NewSigner()}
	s.decode(o, env, p)
	env.Secrets.Add(s.credentials.SecretAccessKey)
	return s
}

func (s *awsSignature) decode(o *config.Object, env Env, p *config.Problems) {
	signature := o.Object("signature", "Signature of every request.")
	o.Require("signature")
	o.Done()
	creds := signature.Object("credentials", "What requests are signed with.")
	signature.Require("credentials")
	signature.Done()
	text := func(name, doc string) string { return needText(creds, name, doc, env, p) }
	s.credentials = aws.Credentials{
		AccessKeyID:     text("accessKeyId", "Id of the access key."),
		SecretAccessKey: text("#secretKey", "The secret of that key."),
	}
	s.service = text("serviceName", "Service that is signed for, such as execute-api.")
	s.region = text("regionName", "Region that is signed for, such as eu-west-1.")
	creds.Done()
}

// needText evaluates a member that must be there and not empty.
func needText(o *config.Object, name, doc string, env Env, p *config.Problems) string {
	n := o.Any(name, doc, "string", "number", "expression")
	o.Require(name)
	if n == nil {
		return ""
	}
	v, err := expr.Compile(n, env.Expr, p).Eval(env.Expr)
	if err != nil {
		return "" // Compile has reported it
	}
	text, ok := item.Text(v.JSON)
	if !ok || text == "" {
		p.Errorf(n, "must be a string that is not empty")
	}
	return text
}

// AWS is what a signature is made with.
type AWS struct{ AccessKeyID, SecretKey, Service, Region string }

// SignedBy returns what f signs with; nil if that is no signature of AWS.
func SignedBy(f Finisher) *AWS {
	s, ok := f.(*awsSignature)
	if !ok {
		return nil
	}
	return &AWS{s.credentials.AccessKeyID, s.credentials.SecretAccessKey, s.service, s.region}
}

// Finish implements [Finisher].
func (s *awsSignature) Finish(h *http.Request) error {
	body, err := bodyOf(h)
	if err != nil {
		return err
	}
	h.URL.RawQuery = strings.ReplaceAll(h.URL.RawQuery, ";", "%3B") // else the signer leaves the parameter out
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	s3 := s.service == "s3"
	if s3 { // which signs the path as it would write it itself, and wants to be told the hash
		h.URL.RawPath = strings.ReplaceAll(percent(h.URL.Path), "%2F", "/")
		h.Header.Set("X-Amz-Content-Sha256", hash)
	}
	encodings := h.Header["Accept-Encoding"]
	delete(h.Header, "Accept-Encoding") // it is not signed: what stands between may write it anew
	err = s.signer.SignHTTP(h.Context(), s.credentials, h, hash, s.service, s.region, s.env.Now(),
		func(o *v4.SignerOptions) { o.DisableURIPathEscaping = s3 })
	if encodings != nil {
		h.Header["Accept-Encoding"] = encodings
	}
	if err != nil {
		return err
	}
	_, signature, _ := strings.Cut(h.Header.Get("Authorization"), "Signature=")
	s.env.Secrets.AddSignature(signature)
	return nil
}
