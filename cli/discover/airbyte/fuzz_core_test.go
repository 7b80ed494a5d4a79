package airbyte_test

import (
	"testing"

	"sluice/cli/discover/airbyte"
)

// FuzzTemplate: whatever a template is, it is understood or refused, in time.
func FuzzTemplate(f *testing.F) {
	for _, text := range []string{
		"{{ config['a'] or b.c }}", "{% if config.a %}x{% elif true %}y{% else %}{{ 1 // 0 }}{% endif %}", "{% set x = [1] %}{{ x[0:-1] }}",
		"{{ (now_utc() - duration('P1DT2H')).strftime('%Y-%m-%d')[:4] | int + 1 }}", "'{{ config.token }}'", "{{ {'a': [1, (2, 3)]} | string }}",
		"{{ 'a' * 3 % 's' if not a is defined and 1 < 2 <= 3 else 'b' ~ 'c' | replace('', 'x') }}", "{{ format_datetime(config.start, '%s') }}",
		"{{ max(config.start, day_delta(-1)) }}", "{# x #}{{- 1 -}}", "{{ 'x' | hash('md5', config.token) | base64encode }}", "[1, {{ config.days }}]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m := airbyte.MeanText(text, config)
		if m.Err == nil && m.Any != "" && !isJSON(m.Any) {
			t.Errorf("%q gives %s", text, m.Any)
		}
		_, _ = airbyte.Fold(text, config)
	})
}

// FuzzManifest: whatever a manifest is, it is read or refused, in time.
func FuzzManifest(f *testing.F) {
	for _, text := range []string{
		manifest(`"{{ config.start }}"`), "a: &a {b: *a}", "a: '#/b'\nb: '#/a'", "a: {<<: [{b: 1}, *c]}", "{\"a\": [1, 1e3, 0x10, .5]}",
		"x: {$ref: '#/y', $parameters: {z: {type: A}}}\ny: {type: B, z: 1}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		_ = airbyte.Walk(text)
		_, _ = airbyte.Unread(text, "a", "x", "streams")
	})
}
