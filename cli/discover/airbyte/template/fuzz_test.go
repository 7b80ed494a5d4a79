package template_test

import (
	"testing"
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
		m := meantText(text)
		if m.err == nil && m.any != "" && !isJSON(m.any) {
			t.Errorf("%q gives %s", text, m.any)
		}
	})
}
