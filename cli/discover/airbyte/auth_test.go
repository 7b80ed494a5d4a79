package airbyte_test

import "testing"

func ofAuthenticator(authenticator string) string {
	return ofRequester("url_base: https://api.test/v1\npath: q\nauthenticator:\n" + indented("  ", authenticator))
}

const addressed = "base \"https://api.test/v1\"\nendpoint \"q\"\n"

func TestAuthenticatorsAreHeadersParametersOrALogin(t *testing.T) {
	for _, c := range []conversion{{
		name:     "none",
		manifest: "type: NoAuth",
	}, {
		name:     "a bearer token",
		manifest: "type: BearerAuthenticator\napi_token: \"{{ config['key'] }}\"",
		want:     `all headers {"Authorization": {"function": "concat", "args": ["Bearer ", {"attr": "#key"}]}}`,
	}, {
		name: "a key in a header",
		manifest: `
type: ApiKeyAuthenticator
api_token: "Token {{ config['key'] }}"
inject_into: {type: RequestOption, inject_into: header, field_name: X-Key}`,
		want: `all headers {"X-Key": {"function": "concat", "args": ["Token ", {"attr": "#key"}]}}`,
	}, {
		name:     "a key in a header, in the older form",
		manifest: "type: ApiKeyAuthenticator\napi_token: \"{{ config['key'] }}\"\nheader: X-Key",
		want:     `all headers {"X-Key": {"attr": "#key"}}`,
	}, {
		name: "a key in the address",
		manifest: `
type: ApiKeyAuthenticator
api_token: "{{ config['key'] }}"
inject_into: {inject_into: request_parameter, field_name: api_key}`,
		want: `auth {"type": "query", "query": {"api_key": {"attr": "#key"}}}`,
	}, {
		name: "a key in a JSON body",
		manifest: `
type: ApiKeyAuthenticator
api_token: "{{ config['key'] }}"
inject_into: {inject_into: body_json, field_path: [auth, key]}`,
		want: `body {"auth": {"key": {"attr": "#key"}}}`,
	}, {
		name:     "user and password",
		manifest: "type: BasicHttpAuthenticator\nusername: \"{{ config['key'] }}\"\npassword: \"\"",
		want: `all headers {"Authorization": {"function": "concat", "args": ["Basic ", {"function": ` +
			`"base64_encode", "args": [{"function": "concat", "args": [{"attr": "#key"}, ":"]}]}]}}`,
	}, {
		name: "a refresh token",
		manifest: `
type: OAuthAuthenticator
token_refresh_endpoint: https://login.test/token
client_id: "{{ config['user'] }}"
client_secret: "{{ config['secret'] }}"
refresh_token: "{{ config['refresh'] }}"
scopes: [a, b]
refresh_request_body: {grant_type: ignored, tenant: "{{ config['team'] }}"}
refresh_request_headers: {X-Tenant: "{{ config['team'] }}"}
token_expiry_date_format: "%Y-%m-%d"
expires_in_name: expires_at`,
		want: `auth {"type": "login", "loginRequest": {"endpoint": "https://login.test/token", "method": "FORM",` +
			` "headers": {"X-Tenant": {"attr": "team"}}, "params": {"grant_type": "refresh_token",` +
			` "client_id": {"attr": "user"}, "client_secret": {"attr": "#secret"}, "refresh_token": {"attr": "#refresh"},` +
			` "scopes": ["a", "b"], "tenant": {"attr": "team"}}}, "apiRequest": {"headers": {"Authorization":` +
			` {"function": "concat", "args": ["Bearer ", {"response": "access_token"}]}}},` +
			` "expires": {"response": "expires_at"}}`,
	}, {
		name: "credentials of a client, in a header",
		manifest: `
type: OAuthAuthenticator
token_refresh_endpoint: https://login.test/token
grant_type: client_credentials
client_id: "{{ config['user'] }}"
client_secret: "{{ config['secret'] }}"
access_token_name: token
refresh_request_headers: {Authorization: "Basic {{ config['key'] }}"}`,
		want: `auth {"type": "login", "loginRequest": {"endpoint": "https://login.test/token", "method": "FORM",` +
			` "headers": {"Authorization": {"function": "concat", "args": ["Basic ", {"attr": "#key"}]}},` +
			` "params": {"grant_type": "client_credentials"}}, "apiRequest": {"headers": {"Authorization":` +
			` {"function": "concat", "args": ["Bearer ", {"response": "token"}]}}},` +
			` "expires": {"response": "expires_in", "relative": true}}`,
	}, {
		name: "a refresh token that is good once",
		manifest: `
type: OAuthAuthenticator
token_refresh_endpoint: https://login.test/token
client_id: "{{ config['user'] }}"
client_secret: "{{ config['secret'] }}"
refresh_token: "{{ config['refresh'] }}"
refresh_token_updater: {refresh_token_config_path: [refresh], refresh_token_error_values: [x]}`,
		want: `auth {"type": "login", "keep": {"refresh": {"response": "refresh_token"}}, "loginRequest":` +
			` {"endpoint": "https://login.test/token", "method": "FORM", "params": {"grant_type": "refresh_token",` +
			` "client_id": {"attr": "user"}, "client_secret": {"attr": "#secret"}, "refresh_token":` +
			` {"function": "ifempty", "args": [{"kept": "refresh"}, {"attr": "#refresh"}]}}}, "apiRequest": {"headers":` +
			` {"Authorization": {"function": "concat", "args": ["Bearer ", {"response": "access_token"}]}}},` +
			` "expires": {"response": "expires_in", "relative": true}}`,
	}, {
		name:     "an access token that is there",
		manifest: "type: OAuthAuthenticator\naccess_token_value: \"{{ config['key'] }}\"",
		want:     `all headers {"Authorization": {"function": "concat", "args": ["Bearer ", {"attr": "#key"}]}}`,
	}, {
		name: "a session",
		manifest: `
type: SessionTokenAuthenticator
login_requester:
  type: HttpRequester
  url_base: https://api.test
  path: session
  http_method: POST
  request_body_json: {user: "{{ config['user'] }}", password: "{{ config['secret'] }}"}
  authenticator: {type: ApiKeyAuthenticator, api_token: k, header: X-Key}
session_token_path: [data, token]
expiration_duration: PT1H30M
request_authentication: {type: ApiKey, inject_into: {inject_into: request_parameter, field_name: t}}`,
		want: `auth {"type": "login", "loginRequest": {"endpoint": "https://api.test/session", "method": "POST",` +
			` "body": {"user": {"attr": "user"}, "password": {"attr": "#secret"}}, "headers": {"X-Key": {"attr": "#api_token"}}},` +
			` "apiRequest": {"query": {"t": {"response": "data.token"}}}, "expires": 5400}`,
	}, {
		name: "a session for each request",
		manifest: `
type: SessionTokenAuthenticator
login_requester: {type: HttpRequester, url: "https://api.test/session", request_parameters: {user: "{{ config['user'] }}"}}
session_token_path: [token]
request_authentication: {type: Bearer}`,
		want: `auth {"type": "login", "loginRequest": {"endpoint": "https://api.test/session", "params":` +
			` {"user": {"attr": "user"}}}, "apiRequest": {"headers": {"Authorization": {"function": "concat",` +
			` "args": ["Bearer ", {"response": "token"}]}}}, "expires": 0}`,
	}, {
		name: "an older session",
		manifest: `
type: LegacySessionTokenAuthenticator
header: X-Session
login_url: /session
session_token: "{{ config.get('missing') }}"
session_token_response_key: id
username: "{{ config['user'] }}"
password: "{{ config['secret'] }}"
validate_session_url: user`,
		want: `auth {"type": "login", "loginRequest": {"endpoint": "https://api.test/v1/session", "method": "POST",` +
			` "params": {"username": {"attr": "user"}, "password": {"attr": "#secret"}}}, "apiRequest": {"headers":` +
			` {"X-Session": {"response": "id"}}}, "expires": 86400}`,
	}, {
		name: "a signed token",
		manifest: `
type: JwtAuthenticator
algorithm: HS256
secret_key: "{{ config['secret'] }}"
base64_encode_secret_key: true
token_duration: 600
header_prefix: Bearer
jwt_headers: {kid: "{{ config['user'] }}"}
jwt_payload: {iss: me}
additional_jwt_payload: {scope: all}`,
		want: `all headers {"Authorization": {"function": "concat", "args": ["Bearer ", {"function": "jwt", ` +
			`"args": ["HS256", {"scope": "all", "iss": "me", "iat": {"function": "time", "args": []}, ` +
			`"exp": {"function": "strtotime", "args": ["+600 seconds"]}, "nbf": {"function": "time", ` +
			`"args": []}}, {"function": "base64_encode", "args": [{"attr": "#secret"}]}, {"kid": {"attr": ` +
			`"user"}}]}]}}`,
	}, {
		name: "the one that the values choose",
		manifest: `
type: SelectiveAuthenticator
authenticator_selection_path: [kind]
authenticators:
  first: {type: CustomAuthenticator, class_name: source.components.Mine}
  second: {type: BearerAuthenticator, api_token: t}`,
		want: `all headers {"Authorization": {"function": "concat", "args": ["Bearer ", {"attr": "#api_token"}]}}`,
	}, {
		name: "one that the values do not choose",
		manifest: `
type: SelectiveAuthenticator
authenticator_selection_path: [team]
authenticators:
  first: {type: BearerAuthenticator, api_token: t}`,
		refused: `requester.authenticator: no authenticator is chosen: config["team"] must name one of them in --values`,
	}, {
		name:     "an authenticator that is code",
		manifest: "type: CustomAuthenticator\nclass_name: source.components.Mine",
		refused:  "requester.authenticator: the authenticator is the Python class source.components.Mine, which cannot be converted",
	}, {
		name:     "an algorithm that is not there",
		manifest: "type: JwtAuthenticator\nalgorithm: HS512\nsecret_key: k",

		refused: `requester.authenticator: the algorithm "HS512" is not supported, want HS256, RS256 or ES256`,
	}, {
		name: "a login that answers with XML",
		manifest: `
type: SessionTokenAuthenticator
login_requester: {type: HttpRequester, url: "https://api.test/session"}
session_token_path: [token]
expiration_duration: P1D
decoder: {type: XmlDecoder}
request_authentication: {type: Bearer}`,

		refused: "requester.authenticator.decoder: a decoder XmlDecoder is not supported",
	}} {
		c.manifest = ofAuthenticator(c.manifest)
		if c.refused == "" {
			c.want = addressed + c.want
		}
		t.Run(c.name, c.test)
	}
}
