package s3

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"

	"sluice/pipeline"
)

// permissions that operations need, where they are not called the same.
var permissions = map[string]string{
	"CreateMultipartUpload":   "PutObject",
	"UploadPart":              "PutObject",
	"CompleteMultipartUpload": "PutObject",
	"HeadObject":              "GetObject",
	"ListParts":               "ListMultipartUploadParts",
	"ListMultipartUploads":    "ListBucketMultipartUploads",
	"ListObjectsV2":           "ListBucket",
}

// advice says what is wrong and what to do, by the code of an answer.
var advice = map[string]string{ //nolint:gosec // texts about credentials
	"NoSuchBucket":          "there is no such bucket at %s: make it, or name another",
	"InvalidAccessKeyId":    "%s does not know this access key: check AWS_ACCESS_KEY_ID, or the profile",
	"XAdminUserNotFound":    "%s does not know this access key: check AWS_ACCESS_KEY_ID, or the profile", // Versity's code for it
	"SignatureDoesNotMatch": "%s says that the secret key does not fit the access key: check AWS_SECRET_ACCESS_KEY, or the profile",
	"ExpiredToken":          "%s says that the session token has expired: renew the credentials",
	"InvalidToken":          "%s refuses the session token: renew the credentials",
	"RequestTimeTooSkewed":  "%s says that the clock of this machine is wrong: set it",
	"PreconditionFailed":    "somebody else has written it meanwhile at %s: it stays as they left it",
	"NoSuchUpload":          "the upload is gone from %s: somebody, or a lifecycle rule, ended it; run again",
	"EntityTooSmall":        "%s wants larger parts: set --s3-part-size",
	"EntityTooLarge":        "%s wants smaller parts: set --s3-part-size",
}

// explain says of an error, if it is one, which object, what is wrong, and what to do.
func (t *Target) explain(ctx context.Context, key string, err error) error {
	if err == nil {
		return nil
	}
	return cmp.Or(context.Cause(ctx), temporaryIf(err, fmt.Errorf("%s: %s", t.uri(key), t.reason(err))))
}

// stillOpen is explain for uploads that could not be aborted, with the command that ends them.
func (t *Target) stillOpen(keys []string, err error) error {
	key, reason, uploads := keys[0], t.reason(err), "its upload is still open"
	if errors.Is(err, context.DeadlineExceeded) {
		reason = fmt.Sprintf("no answer within %s", t.limits.closing)
	}
	if len(keys) > 1 {
		key, uploads = t.prefix, fmt.Sprintf("%d uploads are still open", len(keys))
	}
	place := "'" + strings.ReplaceAll(t.uri(key), "'", `'\''`) + "'"
	if t.options.Endpoint != "" {
		place += " --s3-endpoint " + t.options.Endpoint
	}
	if t.options.Region != "" {
		place += " --s3-region " + t.options.Region
	}
	if t.options.PathStyle != nil {
		place += fmt.Sprintf(" --s3-path-style=%t", *t.options.PathStyle)
	}
	return fmt.Errorf(
		"%s: %s (%s); once no run writes there: sluice sweep %s --abort --older-than 0s",
		t.uri(key),
		uploads,
		reason,
		place,
	)
}

// temporaryIf marks explained as temporary if err is.
func temporaryIf(err, explained error) error {
	if retryable(err) {
		return pipeline.Temporary(explained)
	}
	return explained
}

// reason says what is wrong and what to do.
func (t *Target) reason(err error) string {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return t.noAnswer(err)
	}
	if text, ok := advice[api.ErrorCode()]; ok {
		return fmt.Sprintf(text, t.endpoint)
	}
	status, region, own := 0, "", t.client.Options().Region
	if answer, ok := errors.AsType[*awshttp.ResponseError](err); ok && answer.Response != nil {
		status, region = answer.HTTPStatusCode(), t.clean(answer.Response.Header.Get("X-Amz-Bucket-Region"))
	}
	text := strings.TrimSuffix(
		t.clean(fmt.Sprintf("%d %s: %s", status, api.ErrorCode(), api.ErrorMessage())),
		":",
	)
	var operation *smithy.OperationError
	switch {
	case region != "" && region != own:
		return fmt.Sprintf(
			"the bucket is in the region %s, not in %s: set --s3-region or AWS_REGION",
			region,
			own,
		)
	case api.ErrorCode() == "AuthorizationHeaderMalformed":
		return fmt.Sprintf("%s; the request was for the region %s: set --s3-region or AWS_REGION", text, own)
	case status == 403 && errors.As(err, &operation):
		return fmt.Sprintf(
			"%s refuses: %s; this takes the permission s3:%s",
			t.endpoint,
			text,
			cmp.Or(permissions[operation.Operation()], operation.Operation()),
		)
	}
	return fmt.Sprintf("%s answers %s", t.endpoint, text)
}

// noAnswer is reason for a request that got none.
func (t *Target) noAnswer(err error) string {
	if request, ok := errors.AsType[*url.Error](err); ok {
		// Without what was asked.
		err = request.Err
	}
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Sprintf(
			"%s: there is no host %s: check --s3-endpoint and AWS_ENDPOINT_URL_S3, or the name of the bucket",
			t.endpoint,
			dns.Name,
		)
	case errors.As(err, &timeout) && timeout.Timeout():
		return t.endpoint + " does not answer"
	case errors.As(err, new(tls.RecordHeaderError)), errors.Is(err, http.ErrSchemeMismatch):
		return t.endpoint + " does not speak TLS: check whether --s3-endpoint begins with http:// and not https://"
	}
	return fmt.Sprintf("%s is not available: %s", t.endpoint, t.clean(err.Error()))
}

// clean makes what a server says fit into a message: without secrets, and only then cut.
func (t *Target) clean(text string) string {
	return pipeline.Shorten(strings.Join(strings.Fields(t.options.Secrets.Redact(text)), " "), 300)
}

// codeOf returns the code of an answer that is an error, else nothing.
func codeOf(err error) string {
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		return api.ErrorCode()
	}
	return ""
}
