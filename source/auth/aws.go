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
)

// decodeAWS decodes the member aws, and returns what signs by AWS Signature Version 4.
func decodeAWS(o *config.ObjectDecoder, env Env, p *config.Problems) func(*http.Request) error {
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
	key := aws.Credentials{
		AccessKeyID:     needed("accessKeyId", "Id of the access key."),
		SecretAccessKey: needed("#secretKey", "The secret of that key."),
	}
	service := needed("serviceName", "Service that is signed for, such as execute-api.")
	region := needed("regionName", "Region that is signed for, such as eu-west-1.")
	creds.Done()
	env.Secrets.Add(key.SecretAccessKey)
	signer := v4.NewSigner()
	return func(h *http.Request) error {
		body, err := bodyOf(h)
		if err != nil {
			return err
		}
		// The signer would leave a parameter with a semicolon out.
		h.URL.RawQuery = strings.ReplaceAll(h.URL.RawQuery, ";", "%3B")
		sum := sha256.Sum256(body)
		hash := hex.EncodeToString(sum[:])
		s3 := service == "s3"
		if s3 {
			// S3 signs the path as it would write it itself, and needs the hash in a header.
			h.URL.RawPath = strings.ReplaceAll(percent(h.URL.Path), "%2F", "/")
			h.Header.Set("X-Amz-Content-Sha256", hash)
		}
		// Accept-Encoding is not signed: a proxy may change it.
		encodings := h.Header["Accept-Encoding"]
		delete(h.Header, "Accept-Encoding")
		asWritten := func(o *v4.SignerOptions) { o.DisableURIPathEscaping = s3 }
		err = signer.SignHTTP(h.Context(), key, h, hash, service, region, env.Now(), asWritten)
		if encodings != nil {
			h.Header["Accept-Encoding"] = encodings
		}
		_, signature, _ := strings.Cut(h.Header.Get("Authorization"), "Signature=")
		env.Secrets.AddSignature(signature)
		return err
	}
}
