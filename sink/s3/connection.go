package s3

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
)

// What the environment lacks, or says wrong: nothing was requested.
var (
	ErrNoRegion = errors.New("no region: set --s3-region or AWS_REGION, or --s3-endpoint if it is not Amazon's")
	ErrEndpoint = errors.New("the endpoint must be a URL such as https://s3.example.com:9000: " +
		"look at AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL and the profile")
)

// connect makes the client, once.
func (t *Target) connect(ctx context.Context) error {
	if t.connected {
		return nil
	}
	err := t.newClient(ctx)
	if err == nil && !t.options.Anonymous {
		err = t.findCredentials(ctx)
	}
	if err == nil {
		t.connected = true
		return nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return fmt.Errorf("%s: %w", t.uri(t.prefix), err)
}

// environment reads the AWS environment, but not for an anonymous target. It sends nothing.
func (t *Target) environment(ctx context.Context) (aws.Config, error) {
	// AWS_CA_BUNDLE needs that very type.
	base := awshttp.NewBuildableClient()
	if t.options.Anonymous {
		return aws.Config{
			Region:      t.options.Region,
			Credentials: aws.AnonymousCredentials{},
			HTTPClient:  base,
			Logger:      logging.Nop{},
		}, nil
	}
	cfg, err := config.LoadDefaultConfig(ctx,
		config.WithRegion(t.options.Region),
		config.WithAppID("sluice"),
		config.WithLogger(logging.Nop{}),
		config.WithHTTPClient(base),
	)
	if err != nil {
		return cfg, fmt.Errorf("the AWS configuration: %s", t.clean(err.Error()))
	}
	return cfg, nil
}

// newClient makes the client from options and environment. It sends nothing.
func (t *Target) newClient(ctx context.Context) error {
	cfg, err := t.environment(ctx)
	if err != nil {
		return err
	}
	base := cfg.HTTPClient.(*awshttp.BuildableClient)
	t.prompt = t.httpClient(base, t.limits.answer)
	t.patient = t.httpClient(base, t.limits.complete)
	// Where the environment says nothing, the time ends the attempts.
	t.attempts = cmp.Or(cfg.RetryMaxAttempts, 1000)
	t.client = s3.NewFromConfig(cfg, func(so *s3.Options) {
		t.options.complete(so, choseChecksums(cfg))
		so.HTTPClient = t.prompt
		so.Credentials = t.hiding(so.Credentials)
	})

	with := t.client.Options()
	if with.Region == "" {
		return ErrNoRegion
	}
	if with.RequestChecksumCalculation == aws.RequestChecksumCalculationWhenSupported {
		// The upload must name the algorithm that its parts have.
		t.checksums = types.ChecksumAlgorithmCrc32
	}
	t.endpoint = "Amazon S3 in " + with.Region
	if with.BaseEndpoint != nil {
		u := parseEndpoint(*with.BaseEndpoint)
		if u == nil {
			return ErrEndpoint
		}
		t.endpoint = u.Redacted()
	}
	return nil
}

// complete decides what neither flags nor environment say.
func (o Options) complete(so *s3.Options, checksumsChosen bool) {
	if o.Endpoint != "" {
		so.BaseEndpoint = &o.Endpoint
	}
	custom := so.BaseEndpoint != nil
	if so.Region == "" && custom {
		so.Region = "us-east-1"
	}
	so.UsePathStyle = custom
	if o.PathStyle != nil {
		so.UsePathStyle = *o.PathStyle
	}
	if custom && !checksumsChosen {
		so.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
	}
}

// httpClient returns a client that waits so long for an answer. It follows no redirect.
func (t *Target) httpClient(base *awshttp.BuildableClient, answer time.Duration) *http.Client {
	dial := (&net.Dialer{Timeout: t.limits.dial, KeepAlive: 30 * time.Second}).DialContext
	transport := base.GetTransport()
	if t.options.Dial != nil {
		dial = t.options.Dial
		// A proxy belongs to the network, which is not used.
		transport.Proxy = nil
	}
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &conn{Conn: c, send: t.limits.send, answer: answer}, nil
	}
	transport.ResponseHeaderTimeout = answer
	client := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if t.options.wrap != nil {
		client.Transport = t.options.wrap(transport)
	}
	return client
}

// choseChecksums tells whether environment or profile say when to send checksums,
// which many servers at custom endpoints do not know.
func choseChecksums(cfg aws.Config) bool {
	return slices.ContainsFunc(cfg.ConfigSources, func(source any) bool {
		env, _ := source.(config.EnvConfig)
		profile, _ := source.(config.SharedConfig)
		return env.RequestChecksumCalculation != 0 || profile.RequestChecksumCalculation != 0
	})
}

// hiding makes the credentials of from known as secrets, those of a renewal too.
func (t *Target) hiding(from aws.CredentialsProvider) aws.CredentialsProvider {
	if t.options.Secrets == nil || t.options.Anonymous {
		return from
	}
	return aws.CredentialsProviderFunc(func(ctx context.Context) (aws.Credentials, error) {
		c, err := from.Retrieve(ctx)
		t.options.Secrets.Add(c.SecretAccessKey, c.SessionToken)
		return c, err
	})
}

// findCredentials asks for the credentials before the first request: that there are none has its own message.
func (t *Target) findCredentials(ctx context.Context) error {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err := t.client.Options().Credentials.Retrieve(ctx)
	if err == nil {
		return nil
	}
	var metadata *smithy.OperationError
	// The service of metadata is asked last, where nothing else gives credentials.
	if errors.As(err, &metadata) && metadata.ServiceID == "ec2imds" {
		return errors.New("no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, " +
			"or run where a role gives them")
	}
	return temporaryIf(err, fmt.Errorf("no credentials: %s", t.clean(err.Error())))
}

// promptly is how requests are made that are answered at once.
func (t *Target) promptly(o *s3.Options) {
	o.Retryer = t.retryer(t.limits.tries, nil)
}

// once is how a request is made that is not tried again.
func once(o *s3.Options) { o.Retryer = aws.NopRetryer{} }

// patiently is how Complete is called: once. After minutes without an answer it is better to look whether the object is
// there.
func (t *Target) patiently(o *s3.Options) {
	o.Retryer = t.retryer(1, nil)
	o.HTTPClient = t.patient
}

// retryer is for one operation, since the failures of an hour of uploads would add up.
func (t *Target) retryer(tries int, goesOn func() bool) aws.Retryer {
	l := t.limits
	until := time.Now().Add(l.trying)
	backoff := retry.NewExponentialJitterBackoff(l.pause)
	// It is asked once after each attempt.
	again := func(err error) aws.Ternary {
		tries--
		if goesOn != nil && !goesOn() {
			return aws.FalseTernary
		}
		if !retryable(err) {
			return aws.FalseTernary
		}
		return aws.BoolTernary(tries > 0 || time.Now().Before(until))
	}
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.MaxAttempts = t.attempts
		o.Retryables = []retry.IsErrorRetryable{retry.IsErrorRetryableFunc(again)}
		o.Backoff = retry.BackoffDelayerFunc(func(attempt int, err error) (time.Duration, error) {
			delay, wrong := backoff.BackoffDelay(attempt, err)
			if left := time.Until(until); left > 0 {
				// The last attempt begins when the time is over.
				delay = min(delay, left)
			}
			if t.options.Again != nil {
				t.options.Again(t.reason(err), delay)
			}
			return delay, wrong
		})
	})
}
