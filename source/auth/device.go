package auth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"sluice/pipeline"
	"sluice/pipeline/item"
	"sluice/source/request"
)

const (
	// Between two questions, where the API does not say another (RFC 8628, 3.2 and 3.5).
	deviceInterval = 5 * time.Second

	// How long a code is good where the API does not say it.
	deviceLife = 15 * time.Minute

	deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
)

// A DeviceCode is what a person enters on another device.
type DeviceCode struct {
	consent *Consent

	// UserCode is what a person enters at Address. Complete, which may be empty, has it in it.
	UserCode, Address, Complete string

	code     string
	interval time.Duration
	expires  time.Time
}

// deviceAnswer is that of the address that gives codes. Some APIs say verification_url.
type deviceAnswer struct {
	Code         string      `json:"device_code"`
	UserCode     string      `json:"user_code"`
	Address      string      `json:"verification_uri"`
	OtherAddress string      `json:"verification_url"`
	Complete     string      `json:"verification_uri_complete"`
	Expires      json.Number `json:"expires_in"`
	Interval     json.Number `json:"interval"`
}

// BeginDevice asks for a code.
func (c *Consent) BeginDevice() (*DeviceCode, error) {
	r, err := c.deviceRequest()
	if err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	d := &DeviceCode{consent: c}
	said, err := c.send(r, func(raw []byte, _ http.Header) error { return d.read(raw) })
	if err != nil {
		return nil, c.explain(said, err, "see api.authentication.authorize.deviceUrl")
	}
	return d, nil
}

// deviceRequest is the login request's, to another address and with other parameters.
func (c *Consent) deviceRequest() (*request.Request, error) {
	l := c.login
	r, err := l.request(0, "", &loginAnswers{})
	if err != nil {
		return nil, err
	}
	r.URL, r.Endpoint, err = l.env.Resolve(c.device)
	if err != nil {
		return nil, err
	}
	r.Hide = nil
	r.Method, r.Renew = request.Form, l.env.Renew
	r.Params = request.Params{{Name: "client_id", Value: item.Quote(c.client)}}
	if c.scope != "" {
		r.Params = append(r.Params, request.Param{Name: "scope", Value: item.Quote(c.scope)})
	}
	return r, nil
}

// read reads the answer with the code.
func (d *DeviceCode) read(raw []byte) error {
	var a deviceAnswer
	if err := json.Unmarshal(raw, &a); err != nil {
		return errors.New("the response is no JSON object with the code of a device")
	}
	d.code, d.UserCode, d.Complete = a.Code, a.UserCode, a.Complete
	d.Address = cmp.Or(a.Address, a.OtherAddress)
	d.consent.login.env.Secrets.Add(d.code)
	if d.code == "" || d.UserCode == "" || !isWeb(d.Address) {
		return errors.New("the response lacks device_code, user_code or verification_uri")
	}
	if !isWeb(d.Complete) {
		d.Complete = ""
	}
	d.interval = seconds(a.Interval, deviceInterval)
	d.expires = d.consent.login.env.Now().Add(seconds(a.Expires, deviceLife))
	return nil
}

// isWeb tells whether a browser can open an address.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// Finish asks until the person has logged in, and has what that gives kept.
func (d *DeviceCode) Finish(ctx context.Context) error {
	return d.consent.keep(func() error {
		for {
			if err := pause(ctx, d.interval); err != nil {
				return err
			}
			if !d.consent.login.env.Now().Before(d.expires) {
				return d.tooLate()
			}
			said, err := d.consent.exchange([][2]string{{"grant_type", deviceGrant}, {"device_code", d.code}})
			isDone, err := d.judge(said, err)
			if isDone {
				return err
			}
		}
	})
}

// judge says of the answer to one question whether the login is over, and with what error.
func (d *DeviceCode) judge(said tokenAnswer, err error) (isDone bool, end error) {
	switch {
	case err == nil:
		return true, nil
	case said.Code == "authorization_pending":
		return false, nil
	case said.Code == "slow_down":
		d.interval += deviceInterval
		return false, nil
	case said.Code == "access_denied":
		return true, &refusal{"login: it was refused: " + d.consent.said(said.Code, said.Description)}
	case said.Code == "expired_token":
		return true, d.tooLate()
	}
	return true, d.consent.explain(said, err, "begin again")
}

func (d *DeviceCode) tooLate() error {
	return pipeline.Temporary(errors.New("login: nobody has entered the code while it was good: begin again"))
}

// pause waits until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
