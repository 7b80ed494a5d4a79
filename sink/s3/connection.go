package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"

	"sluice/pipeline/secret"
)

// ErrNoRegion says that neither flags nor environment name the region: nothing
// was requested.
var ErrNoRegion = errors.New("no region: set --s3-region or AWS_REGION, or --s3-endpoint if it is not Amazon's")

// ErrEndpoint says that the environment names an endpoint that is none: nothing
// was requested.
var ErrEndpoint = errors.New("the endpoint must be a URL such as https://s3.example.com:9000: look at AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL and the profile")

// A connection is the SDK's client, set up, with the two ways to call it:
// promptly, and patiently where an answer takes its time.
type connection struct {
	client    *s3.Client
	checksums types.ChecksumAlgorithm // of parts; "" is none
	endpoint  string                  // for messages
	limits    limits
	attempts  int         // most, of one request
	secrets   *secret.Set // taken out of what the bucket says

	prompt, patient *http.Transport
	slow            transport // over patient
}

// transport is a round tripper as the SDK wants it. It follows no redirect: a
// bucket that is elsewhere is an error that says where.
type transport struct{ http.RoundTripper }

// Do implements [s3.HTTPClient].
func (t transport) Do(r *http.Request) (*http.Response, error) { return t.RoundTrip(r) }

// connect reads the AWS environment and finds the credentials. It sends nothing
// to the bucket.
func connect(ctx context.Context, o Options, l limits) (*connection, error) {
	cfg, err := o.load(ctx)
	if err != nil {
		return nil, fmt.Errorf("the AWS configuration: %w", err)
	}
	build, ok := cfg.HTTPClient.(*awshttp.BuildableClient)
	if !ok {
		return nil, fmt.Errorf("the AWS configuration gives a client of type %T", cfg.HTTPClient)
	}
	c := &connection{limits: l, attempts: cfg.RetryMaxAttempts, secrets: o.Secrets}
	if c.attempts == 0 {
		c.attempts = 1000 // time decides
	}
	var fast transport
	c.prompt, fast = o.transport(build, l, l.answer)
	c.patient, c.slow = o.transport(build, l, l.complete)
	c.client = s3.NewFromConfig(cfg, func(so *s3.Options) {
		o.settle(so, choseChecksums(cfg))
		so.HTTPClient = fast
		if o.Secrets != nil && !o.Anonymous {
			so.Credentials = discreet{so.Credentials, o.Secrets}
		}
	})

	with := c.client.Options()
	if with.Region == "" {
		return nil, ErrNoRegion
	}
	if with.RequestChecksumCalculation == aws.RequestChecksumCalculationWhenSupported {
		c.checksums = types.ChecksumAlgorithmCrc32 // all parts and the upload must agree
	}
	c.endpoint = "Amazon S3 in " + with.Region
	if with.BaseEndpoint != nil {
		c.endpoint = *with.BaseEndpoint
		u, err := url.Parse(c.endpoint)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return nil, ErrEndpoint
		}
		c.endpoint = u.Redacted()
	}
	if o.Anonymous {
		return c, nil
	}
	return c, credentials(ctx, with.Credentials)
}

// load reads the environment, unless nothing is to be had there.
func (o Options) load(ctx context.Context) (aws.Config, error) {
	client := awshttp.NewBuildableClient() // AWS_CA_BUNDLE needs that very type
	if o.Anonymous {
		return aws.Config{Region: o.Region, Credentials: aws.AnonymousCredentials{}, HTTPClient: client, Logger: logging.Nop{}}, nil
	}
	return config.LoadDefaultConfig(ctx,
		config.WithRegion(o.Region), config.WithAppID("sluice"), config.WithLogger(logging.Nop{}), config.WithHTTPClient(client))
}

// settle decides what neither flags nor environment say.
func (o Options) settle(so *s3.Options, checksumsChosen bool) {
	if o.Endpoint != "" {
		so.BaseEndpoint = &o.Endpoint
	}
	own := so.BaseEndpoint != nil
	if so.Region == "" && own {
		so.Region = "us-east-1"
	}
	so.UsePathStyle = own
	if o.PathStyle != nil {
		so.UsePathStyle = *o.PathStyle
	}
	if own && !checksumsChosen {
		so.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
	}
}

func (o Options) transport(build *awshttp.BuildableClient, l limits, answer time.Duration) (*http.Transport, transport) {
	t := build.GetTransport()
	t.DialContext = l.dialer(o.Dial, answer)
	t.ResponseHeaderTimeout = answer
	if o.Dial != nil {
		t.Proxy = nil // it is in the network that is not used
	}
	if o.wrap != nil {
		return t, transport{o.wrap(t)}
	}
	return t, transport{t}
}

// choseChecksums tells whether environment or profile say when to send
// checksums. Who does not say so gets none at an endpoint of his own: many
// servers do not know them.
func choseChecksums(cfg aws.Config) bool {
	for _, source := range cfg.ConfigSources {
		switch s := source.(type) {
		case config.EnvConfig:
			if s.RequestChecksumCalculation != 0 {
				return true
			}
		case config.SharedConfig:
			if s.RequestChecksumCalculation != 0 {
				return true
			}
		}
	}
	return false
}

// discreet makes credentials known as secrets, those that are renewed during the
// run included.
type discreet struct {
	aws.CredentialsProvider
	secrets *secret.Set
}

// Retrieve implements [aws.CredentialsProvider].
func (d discreet) Retrieve(ctx context.Context) (aws.Credentials, error) {
	c, err := d.CredentialsProvider.Retrieve(ctx)
	d.secrets.Add(c.SecretAccessKey, c.SessionToken)
	return c, err
}

func credentials(ctx context.Context, from aws.CredentialsProvider) error {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := from.Retrieve(ctx)
	var metadata *smithy.OperationError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &metadata) && metadata.ServiceID == "ec2imds": // the last of the chain
		return errors.New("no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run where a role gives them")
	}
	return soon(err, fmt.Errorf("no credentials: %s", oneLine(err.Error())))
}

// promptly is how requests are made that are answered at once.
func (c *connection) promptly(o *s3.Options) {
	o.Retryer = c.limits.retryer(c.limits.tries, c.attempts)
}

// patiently is how Complete is called. After a silence of minutes it is not
// called again: to look is better.
func (c *connection) patiently(o *s3.Options) {
	o.Retryer = c.limits.retryer(1, c.attempts)
	o.HTTPClient = c.slow
}

func (c *connection) close() {
	c.prompt.CloseIdleConnections()
	c.patient.CloseIdleConnections()
}

// head returns the metadata of what is visible under key, nil if nothing is.
func (c *connection) head(ctx context.Context, bucket, key string) (map[string]string, error) {
	out, err := c.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &bucket, Key: &key}, c.promptly)
	var missing *types.NotFound
	switch {
	case errors.As(err, &missing):
		return nil, nil
	case err != nil:
		return nil, err
	case out.Metadata == nil:
		return map[string]string{}, nil
	}
	return out.Metadata, nil
}

func (c *connection) remove(ctx context.Context, bucket, key string) error {
	_, err := c.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &bucket, Key: &key}, c.promptly)
	return err
}
