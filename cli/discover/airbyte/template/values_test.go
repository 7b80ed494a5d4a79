package template_test

import (
	"strings"
	"testing"
)

func TestRulesForTheValuesAreFollowed(t *testing.T) {
	const rules = `
spec:
  connection_specification:
    properties:
      old_key: {type: string, airbyte_secret: true}
      region: {type: string, default: eu}
  config_normalization_rules:
    config_migrations:
      - transformations:
          - type: ConfigAddFields
            condition: "{{ config.get('old_key') is not none }}"
            fields:
              - path: [credentials, api_key]
                value: "{{ config['old_key'] }}"
          - type: ConfigRemoveFields
            field_pointers: [[old_key]]
    transformations:
      - type: ConfigRemapField
        field_path: [region]
        map: {eu: europe, us: america}
      - type: ConfigAddFields
        fields:
          - path: ["{{ 'made' }}"]
            value: "{{ config.region ~ '-1' }}"
      - type: ConfigAddFields
        condition: "{{ isinstance(config.region, list) }}"
        fields:
          - {path: [doubtful], value: x}
streams:
  - at: "%"
`
	for template, want := range map[string]string{
		"{{ config.credentials.api_key }}": `{"attr": "#old_key"}`,
		"{{ config.old_key }}":             "",
		"{{ config.region }}":              `{"attr": "region"}`,
		"{{ config.region[:2] }}":          `"eu"`,
		"{{ config.made }}":                `{"attr": "made"}`,
		"{{ config.made ~ '' }}":           `"europe-1"`,
	} {
		t.Run(template, func(t *testing.T) {
			m := meant(strings.Replace(rules, "%", template, 1), `{"old_key": "s"}`)
			if m.err != nil {
				t.Fatal(m.err)
			}
			if m.any != want {
				t.Errorf("%s, want %s", m.any, want)
			}
		})
	}
	t.Run("a rule that is not supported", func(t *testing.T) {
		m := meant(strings.Replace(rules, "%", "{{ config.doubtful }}", 1), "")
		if m.err == nil || !strings.Contains(m.err.Error(), "isinstance is not supported") {
			t.Error(m.err)
		}
	})
	t.Run("a rule in code", func(t *testing.T) {
		custom := strings.Replace(rules, "ConfigRemapField", "CustomConfigTransformation", 1)
		m := meant(strings.Replace(custom, "%", "{{ config.region }}", 1), "")
		if m.err == nil ||
			!strings.Contains(m.err.Error(), "spec.config_normalization_rules.transformations[0]") {
			t.Error(m.err)
		}
	})
}

func TestASecretIsNeverShown(t *testing.T) {
	const values = `{"token": "c4n4ry", "credentials": {"auth_type": "key", "api_key": "c4n4ry"}, "other_password": "c4n4ry",
		"extra": {"deep": "c4n4ry"}, "list": [{"token": "c4n4ry"}]}`
	for _, template := range []string{
		"{{ config.token }}", "{{ config.token ~ 'x' }}", "{{ config.token[:2] }}", "{{ config.token | upper }}", "{{ config }}",
		"{{ config | string }}", "{{ config.credentials }}", "{{ config.credentials.api_key | int }}", "{{ config.extra.deep }}",
		"{{ config.other_password }}", "{{ [config.token] }}", "{{ {'a': config.token} }}", "{{ config.list }}", "{{ config.extra }}",
		"{{ config.token == 'x' }}", "{{ config.token in 'x' }}", "{{ config.token | base64encode }}", "[{{ config.token }}]",
		"{{ config.list[0].token }}", "{{ config.list[0] }}", "{{ config.token.split('4') }}", "{{ config.values() }}",
		"{{ max(config.token, 'x') }}", "{{ format_datetime(config.token, '%Y') }}", "{{ '%s' % config.token }}",
		"{{ config.list | map(attribute='token') | join }}", "{{ config.token | default('x') | replace('a', 'b') }}",
	} {
		t.Run(template, func(t *testing.T) {
			m := meant(at(`"`+template+`"`), values)
			shown := m.any + m.option + m.text
			if m.err != nil {
				shown += m.err.Error()
			}
			if strings.Contains(strings.ToLower(shown), "c4n4ry") {
				t.Error(shown)
			}
		})
	}
}

func TestValuesThatDecideAreNamed(t *testing.T) {
	m := meant(at(`"{{ config.start[:4] if config.on else config.days }}"`), config)
	if m.err != nil {
		t.Fatal(m.err)
	}
	if got := strings.Join(m.decided, " "); got != "on start" {
		t.Error(got)
	}
}

func TestValuesThatAreNoObjectAreAnError(t *testing.T) {
	for _, values := range []string{"[]", "{", `{"a": 1} x`, "null", "1"} {
		if m := meant(at("x"), values); m.err == nil {
			t.Errorf("%s: no error", values)
		}
	}
}

func TestTwoValuesOfOneNameAreToldApart(t *testing.T) {
	const values = `{"a": {"b": "x"}, "a_b": "y", "a.b": "x"}`
	m := meant(at(`"{{ config.a.b }} {{ config.a_b }} {{ config['a'].b }}"`), values)
	want := `{"function": "concat", "args": [{"attr": "a_b"}, " ", {"attr": "a_b_2"}, " ", {"attr": "a_b"}]}`
	if m.err != nil || m.any != want {
		t.Error(m.err, m.any)
	}
}
