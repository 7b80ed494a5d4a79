package s3

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
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

const unknownAccessKey = "%s does not know this access key: check AWS_ACCESS_KEY_ID, or the profile"

// advice says what is wrong and what to do, by the code of an answer.
//
//nolint:gosec // texts about credentials
var advice = map[string]string{
	"NoSuchBucket":       "there is no such bucket at %s: make it, or name another",
	"InvalidAccessKeyId": unknownAccessKey,
	// The Versity gateway calls it so.
	"XAdminUserNotFound": unknownAccessKey,
	"SignatureDoesNotMatch": "%s says that the secret key does not fit the access key: " +
		"check AWS_SECRET_ACCESS_KEY, or the profile",
	"ExpiredToken":         "%s says that the session token has expired: renew the credentials",
	"InvalidToken":         "%s refuses the session token: renew the credentials",
	"RequestTimeTooSkewed": "%s says that the clock of this machine is wrong: set it",
	"PreconditionFailed":   "another process has written it meanwhile at %s: it is not replaced",
	"NoSuchUpload":         "the upload is gone from %s: somebody, or a lifecycle rule, ended it; run again",
	"EntityTooSmall":       "%s wants larger parts: set --s3-part-size",
	"EntityTooLarge":       "%s wants smaller parts: set --s3-part-size",
}

// explain says of an error, if it is one, which object, what is wrong, and what to do.
func (t *Target) explain(ctx context.Context, key string, err error) error {
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return temporaryIf(err, fmt.Errorf("%s: %s", t.uri(key), t.reason(err)))
}

// stillOpen is explain for uploads that could not be aborted, with the command that ends them.
func (t *Target) stillOpen(keys []string, err error) error {
	uri := t.uri(keys[0])
	uploads := "its upload is still open"
	if len(keys) > 1 {
		uri = t.uri(t.prefix)
		uploads = fmt.Sprintf("%d uploads are still open", len(keys))
	}
	reason := t.reason(err)
	if errors.Is(err, context.DeadlineExceeded) {
		reason = fmt.Sprintf("no answer within %s", t.limits.closing)
	}
	return fmt.Errorf("%s: %s (%s); once no run writes there: sluice sweep %s --abort --older-than 0s",
		uri, uploads, reason, t.arguments(uri))
}

// arguments are what a command line says, in a shell, to reach a URI of this target.
func (t *Target) arguments(uri string) string {
	place := "'" + strings.ReplaceAll(uri, "'", `'\''`) + "'"
	if t.options.Endpoint != "" {
		place += " --s3-endpoint " + t.options.Endpoint
	}
	if t.options.Region != "" {
		place += " --s3-region " + t.options.Region
	}
	if t.options.PathStyle != nil {
		place += fmt.Sprintf(" --s3-path-style=%t", *t.options.PathStyle)
	}
	return place
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
	status, region := 0, ""
	if answer, ok := errors.AsType[*awshttp.ResponseError](err); ok && answer.Response != nil {
		status = answer.HTTPStatusCode()
		region = t.clean(answer.Response.Header.Get("X-Amz-Bucket-Region"))
	}
	text := t.clean(fmt.Sprintf("%d %s: %s", status, api.ErrorCode(), api.ErrorMessage()))
	// Not every answer has a message.
	text = strings.TrimSuffix(text, ":")
	own := t.client.Options().Region
	var operation *smithy.OperationError
	switch {
	case region != "" && region != own:
		const elsewhere = "the bucket is in the region %s, not in %s: set --s3-region or AWS_REGION"
		return fmt.Sprintf(elsewhere, region, own)
	case api.ErrorCode() == "AuthorizationHeaderMalformed":
		return fmt.Sprintf("%s; the request was for the region %s: set --s3-region or AWS_REGION", text, own)
	case status == 403 && errors.As(err, &operation):
		name := operation.Operation()
		permission := cmp.Or(permissions[name], name)
		return fmt.Sprintf("%s refuses: %s; this takes the permission s3:%s%s",
			t.endpoint, text, permission, t.options.Stored.permissions())
	}
	return fmt.Sprintf("%s answers %s%s", t.endpoint, text, t.options.Stored.about(api))
}

// noAnswer is reason for a request that got none.
func (t *Target) noAnswer(err error) string {
	if request, ok := errors.AsType[*url.Error](err); ok {
		// The message names the endpoint, not the whole URL.
		err = request.Err
	}
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		check := "check --s3-endpoint and AWS_ENDPOINT_URL_S3, or the name of the bucket"
		if strings.Contains(dns.Name, ".amazonaws.com") {
			check = "check --s3-region and AWS_REGION, or the name of the bucket"
		}
		return fmt.Sprintf("%s: there is no host %s: %s", t.endpoint, dns.Name, check)
	case errors.As(err, &timeout) && timeout.Timeout():
		return t.endpoint + " does not answer"
	case lacksTLS(err):
		const check = "check whether --s3-endpoint begins with http:// and not https://"
		return fmt.Sprintf("%s does not speak TLS: %s", t.endpoint, check)
	}
	return fmt.Sprintf("%s is not available: %s", t.endpoint, t.clean(err.Error()))
}

// clean makes what a server says fit into a message: without secrets, and only then cut.
func (t *Target) clean(text string) string {
	words := strings.Fields(t.options.Secrets.Redact(text))
	return pipeline.Shorten(strings.Join(words, " "), 300)
}

// codeOf returns the code of an answer that is an error, else nothing.
func codeOf(err error) string {
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		return api.ErrorCode()
	}
	return ""
}

// retryable tells whether the same request may well succeed later.
func retryable(err error) bool {
	if errors.As(err, new(*tls.CertificateVerificationError)) || lacksTLS(err) {
		return false
	}
	// The answer was cut.
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errNoTag) {
		return true
	}
	too := retry.RetryableHTTPStatusCode{
		Codes: map[int]struct{}{http.StatusRequestTimeout: {}, http.StatusTooManyRequests: {}},
	}
	all := retry.IsErrorRetryables(append(slices.Clip(retry.DefaultRetryables), too))
	return all.IsErrorRetryable(err) == aws.TrueTernary
}

// lacksTLS tells whether a server has answered without TLS what was asked with it.
func lacksTLS(err error) bool {
	return errors.As(err, new(tls.RecordHeaderError)) || errors.Is(err, http.ErrSchemeMismatch)
}
