package expr_test

import (
	"strings"
	"testing"
)

func TestSprintfFormatsAsPHPDoes(t *testing.T) {
	for _, tt := range []struct{ format, args, want string }{
		{"100%%", ``, "100%"},
		{"%s-%s", `"a",1.0`, "a-1.0"},
		{"%s%s%s", `true,false,null`, "10"},
		{"%2$s %1$s %2$s", `"a","b"`, "b a b"},
		{"%2$s %s", `"a","b"`, "b a"},
		{"%.100s|%5c", `"ab",65`, "ab|A"},
		{"%.100f", `0.5`, "0.5" + strings.Repeat("0", 52)},
		{"%5s|%-5s|%05s", `"ab","ab","ab"`, "   ab|ab   |000ab"},
		{"%'*5s|%-'*5s|%'é3s", `"ab","ab","ab"`, "***ab|ab***|éab"},
		{"%.2s|%4.2s|%.0s|%.s", `"éèê","éèê","ab","ab"`, "éè|  éè||"},
		{"%d", `9007199254740993`, "9007199254740993"},
		{"%d %d %d", `"-1.9"," 12 ",1e3`, "-1 12 1000"},
		{"%05d|%+d|%+05d|%-5d|%-05d|%'x5d", `-12,12,12,12,12,-12`, "-0012|+12|+0012|12   |12   |xx-12"},
		{"%'.05d|%0'.5d|%0 5d|% 05d|%'x'y5s|%'0-5s", `3,3,3,3,"ab","ab"`, "00003|....3|    3|00003|yyyab|ab000"},
		{"%u %u", `-1,7`, "18446744073709551615 7"},
		{"%x %X %o %b", `255,255,8,5`, "ff FF 10 101"},
		{"%x|%08b|%-04x", `-1,5,10`, "ffffffffffffffff|00000101|a000"},
		{"%c%c", `65,0`, "A\\u0000"},
		{"%f %F %.2f %.0f", `1.5,1.5,1.005,2.5`, "1.500000 1.500000 1.00 2"},
		{"%08.2f|%-8.2f|%+.1f|%08.2f|%-08.2f", `3.14159,3.14159,2,-1.5,1.5`, "00003.14|3.14    |+2.0|-0001.50|1.500000"},
		{"%e|%.2e|%E|%.1e|%.0e", `1234.5678,0.00012,1234.5678,1e100,0`, "1.234568e+3|1.20e-4|1.234568E+3|1.0e+100|0e+0"},
		{"%.1f %.1f %+.1f %e", `2.25,0.45,-0.0,-0.0`, "2.2 0.5 +0.0 0.000000e+0"},
		{"%ld", `7`, "7"},
		{"%1$04d-%2$02d", `2026,1,"not used"`, "2026-01"},
	} {
		args := `"` + tt.format + `"`
		if tt.args != "" {
			args += "," + tt.args
		}
		if got := eval(t, call("sprintf", args)); got != `"`+tt.want+`"` {
			t.Errorf("%s with %s: got %s, want %q", tt.format, tt.args, got, tt.want)
		}
	}
}

func TestSprintfRefusesWhatIsWrong(t *testing.T) {
	for _, tt := range []struct{ format, args, want string }{
		{"%s %s", `"a"`, "args[0]: conversion 2 of the format needs argument 2 behind the format, and there are 1"},
		{"%3$s", `"a"`, "args[0]: conversion 1 of the format needs argument 3 behind the format, and there are 1"},
		{"%99999999999999999999$s", `"a"`, "args[0]: conversion 1 of the format is unknown"},
		{"%0$s", `"a"`, "args[0]: conversion 1 of the format is unknown"},
		{"%s %y", `"a","b"`, "args[0]: conversion 2 of the format is unknown"},
		{"%*d", `1,2`, "args[0]: conversion 1 of the format is unknown"},
		{"5 %", `1`, "args[0]: conversion 1 of the format is unknown"},
		{"%-05", `1`, "args[0]: conversion 1 of the format is unknown"},
		{"%'", `1`, "args[0]: conversion 1 of the format is unknown"},
		{"%10001d", `1`, "args[0]: conversion 1 of the format is unknown"},
		{"%.10000f", `1`, "args[0]: conversion 1 of the format is unknown"},
		{"%d", `"seven"`, "args[1]: sprintf needs a number here"},
		{"%d", `""`, "args[1]: sprintf needs a number here"},
		{"%d", `1e30`, "args[1]: sprintf needs a number here"},
		{"%f", `"0x1p3"`, "args[1]: sprintf needs a number here"},
		{"%f", `"inf"`, "args[1]: sprintf needs a number here"},
		{"%f", `1e999`, "args[1]: sprintf needs a number here"},
		{"%c", `233`, "args[1]: sprintf needs the number of an ASCII character here, 0 to 127"},
		{"%s", `["a"]`, "args[1]: sprintf needs text here, not an array"},
	} {
		if got := eval(t, call("sprintf", `"`+tt.format+`"`, tt.args)); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s with %s\n got %s\nwant %s", tt.format, tt.args, got, tt.want)
		}
	}
}
