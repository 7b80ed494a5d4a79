package s3

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"sluice/pipeline"
)

// permissions that operations need.
var permissions = map[string]string{
	"CreateMultipartUpload":   "s3:PutObject",
	"UploadPart":              "s3:PutObject",
	"CompleteMultipartUpload": "s3:PutObject",
	"PutObject":               "s3:PutObject",
	"AbortMultipartUpload":    "s3:AbortMultipartUpload",
	"DeleteObject":            "s3:DeleteObject",
	"ListMultipartUploads":    "s3:ListBucketMultipartUploads",
}

// advice says what to do about an answer, by its code.
var advice = map[string]string{ //nolint:gosec // words about credentials
	"NoSuchBucket":          "there is no such bucket at %s: make it, or name another",
	"InvalidAccessKeyId":    "%s does not know this access key: check AWS_ACCESS_KEY_ID, or the profile",
	"XAdminUserNotFound":    "%s does not know this access key: check AWS_ACCESS_KEY_ID, or the profile", // Versity's word
	"SignatureDoesNotMatch": "%s says that the secret key does not fit the access key: check AWS_SECRET_ACCESS_KEY, or the profile",
	"ExpiredToken":          "%s says that the session token has expired: renew the credentials",
	"InvalidToken":          "%s refuses the session token: renew the credentials",
	"RequestTimeTooSkewed":  "%s says that the clock of this machine is wrong: set it",
	"NoSuchUpload":          "the upload is gone from %s: somebody, or a lifecycle rule, ended it; run again",
	"EntityTooSmall":        "%s wants larger parts: set --s3-part-size",
	"EntityTooLarge":        "%s wants smaller parts: set --s3-part-size",
}

// because returns err in words: which object, what is wrong, what to do. What
// may be gone later is marked [pipeline.Temporary].
func (t *Target) because(ctx context.Context, key string, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return soon(err, fmt.Errorf("%s: %w", t.uri(key), t.connection.explain(err)))
}

// stillOpen is because for an upload that could not be aborted.
func (t *Target) stillOpen(ctx context.Context, key string, err error) error {
	reason := t.connection.explain(err)
	if ctx.Err() != nil {
		reason = fmt.Errorf("no answer within %s", t.limits.farewell)
	}
	return fmt.Errorf("%s: its upload is still open, %w: end it with sluice sweep --abort", t.uri(key), reason)
}

// soon marks said as temporary if err is.
func soon(err, said error) error {
	if passing(err) {
		return pipeline.Temporary(said)
	}
	return said
}

func (c *connection) explain(err error) error {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return c.unreachable(err)
	}
	var answer *awshttp.ResponseError
	status, region := 0, ""
	if errors.As(err, &answer) && answer.Response != nil {
		status, region = answer.HTTPStatusCode(), answer.Response.Header.Get("X-Amz-Bucket-Region")
	}
	if words, ok := advice[api.ErrorCode()]; ok {
		return fmt.Errorf(words, c.endpoint)
	}
	text := strings.TrimSuffix(oneLine(c.secrets.Redact(fmt.Sprintf("%d %s: %s", status, api.ErrorCode(), api.ErrorMessage()))), ":")
	var operation *smithy.OperationError
	switch {
	case region != "" && region != c.client.Options().Region:
		return fmt.Errorf("the bucket is in the region %s, not in %s: set --s3-region or AWS_REGION", region, c.client.Options().Region)
	case api.ErrorCode() == "AuthorizationHeaderMalformed":
		return fmt.Errorf("%s; the request was for the region %s: set --s3-region or AWS_REGION", text, c.client.Options().Region)
	case status == 403 && errors.As(err, &operation):
		return fmt.Errorf("%s refuses: %s; this takes the permission %s", c.endpoint, text, permissions[operation.Operation()])
	}
	return fmt.Errorf("%s answers %s", c.endpoint, text)
}

// unreachable is about requests that got no answer.
func (c *connection) unreachable(err error) error {
	var request *smithyhttp.RequestSendError
	var dns *net.DNSError
	var silence net.Error
	var plain tls.RecordHeaderError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("%s: there is no host %s: check --s3-endpoint and AWS_ENDPOINT_URL_S3, or the name of the bucket", c.endpoint, dns.Name)
	case errors.As(err, &silence) && silence.Timeout():
		return fmt.Errorf("%s does not answer", c.endpoint)
	case errors.As(err, &plain):
		return fmt.Errorf("%s does not speak TLS: check whether --s3-endpoint begins with http:// and not https://", c.endpoint)
	case errors.As(err, &request):
		err = request.Err
	}
	return fmt.Errorf("%s is not available: %s", c.endpoint, oneLine(c.secrets.Redact(err.Error())))
}

// codeOf returns the code of an answer that is an error, empty if err is none.
func codeOf(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// oneLine makes what a server or library says fit into a message.
func oneLine(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
