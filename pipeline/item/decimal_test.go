package item_test

import (
	"cmp"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"sluice/pipeline/item"
)

// rational reads a number as math/big does, if its power is small.
func rational(text string) (*big.Rat, bool) {
	text = strings.TrimSpace(text)
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// isModerate tells whether math/big is to read a number: it writes all zeros out.
func isModerate(text string) bool {
	at := strings.IndexAny(text, "eE")
	return len(text) < 200 && (at < 0 || len(text)-at < 6)
}

// agree has a Decimal do what math/big does.
func agree(t *testing.T, a, b string) {
	t.Helper()
	x, isNumber := rational(a)
	d, ok := item.ParseDecimal(a)
	if ok != isNumber {
		t.Fatalf("%q: a number is %v, where math/big says %v", a, ok, isNumber)
	}
	y, isOtherNumber := rational(b)
	other, _ := item.ParseDecimal(b)
	if !isNumber || !isOtherNumber {
		return
	}
	if got, want := d.Compare(other), x.Cmp(y); got != want {
		t.Errorf("%q is to %q as %d, want %d", a, b, got, want)
	}
	if got, want := d.CompareInt(7), x.Cmp(big.NewRat(7, 1)); got != want {
		t.Errorf("%q is to 7 as %d, want %d", a, got, want)
	}
	n, isInt := d.Int()
	fits := x.IsInt() && x.Num().IsInt64()
	if isInt != fits || isInt && n != x.Num().Int64() {
		t.Errorf("%q is the integer %d, %v", a, n, isInt)
	}
	short, ok := item.DecimalOf(item.Quote(a))
	if !ok {
		return
	}
	sum := new(big.Rat).Add(x, big.NewRat(-3, 1))
	places, _ := sum.FloatPrec()
	if got := string(short.Plus(-3)); got != sum.FloatString(places) {
		t.Errorf("%q - 3 is %s, want %s", a, got, sum.FloatString(places))
	}
}

// someNumber is a text that is nearly always a number.
func someNumber(rnd *rand.Rand) string {
	pieces := []string{"", "0", "00", "1", "10", "9", "120", "999", "9223372036854775807", "9223372036854775808", "000000000000000000000"}
	piece := func() string { return pieces[rnd.IntN(len(pieces))] }
	text := []string{"", "", "-", "+"}[rnd.IntN(4)] + piece() + piece()
	if rnd.IntN(2) == 0 {
		text += "." + piece() + piece()
	}
	if rnd.IntN(2) == 0 {
		text += []string{"e", "E", "e+", "e-", "e-0"}[rnd.IntN(5)] + strconv.Itoa(rnd.IntN(40))
	}
	return text
}

func TestADecimalIsTheNumberOfMathBig(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		agree(t, someNumber(rnd), someNumber(rnd))
	}
}

// Each is less than the next one; those in one row are equal.
func TestDecimalsOfAnySizeAreInOrder(t *testing.T) {
	zeros := strings.Repeat("0", 20000)
	rows := [][]string{
		{"-1e" + strings.Repeat("9", 30000)},
		{"-1e10000000000000000000"},
		{"-1e9999999999999999999", "-10e9999999999999999998", "-0.1e10000000000000000000"},
		{"-1e9223372036854775808", "-0.001e9223372036854775811"},
		{"-1e9223372036854775807"},
		{"-1e9223372036854775806", "-10e9223372036854775805"},
		{"-1e20000", "-1" + zeros},
		{"-1"},
		{"-1e-9999999999999999999"},
		{"-1e-10000000000000000000"},
		{"0", "-0", "0e99999999999", "-0.0e-99999999999999999999", "." + zeros, zeros + "e" + zeros + "7"},
		{"1e-99999999999999999999", "0.1e-99999999999999999998", "10e-100000000000000000000", "1e-0" + zeros + "99999999999999999999"},
		{"1e-9223372036854775809", "0.1e-9223372036854775808"},
		{"1e-9223372036854775808", "10e-9223372036854775809"},
		{"1e-9223372036854775807", "0.01e-9223372036854775805"},
		{"1e-1000000000000000000", "0.1e-999999999999999999"},
		{"1e-20000", "0." + zeros[:19999] + "1"},
		{"0.1", "." + "1" + zeros, "1" + zeros + "e-20001"},
		{"0." + strings.Repeat("9", 20000)},
		{"1", "+1.0", " 1 ", "1." + zeros},
		{"1." + zeros + "1"},
		{"1e20000", "1" + zeros, "0.1e20001"},
		{"1" + zeros + ".5"},
		{"1" + zeros[1:] + "1"},
		{"1e1000000000000000000", "10e999999999999999999", "0." + zeros + "1e1000000000000020001"},
		{"1.5e1000000000000000000"},
		{"1e9223372036854775807"},
		{"1e9223372036854775808", "10e9223372036854775807"},
		{"1e99999999999999999999", "10e99999999999999999998", "0.01e100000000000000000001"},
		{"2e99999999999999999999"},
		{"1e" + strings.Repeat("9", 30000)},
	}
	for i, row := range rows {
		for j, others := range rows {
			for _, a := range row {
				for _, b := range others {
					x, ok := item.ParseDecimal(a)
					y, okay := item.ParseDecimal(b)
					if got := x.Compare(y); !ok || !okay || got != cmp.Compare(i, j) {
						t.Errorf("%.40s is to %.40s as %d, %v, %v", a, b, got, ok, okay)
					}
				}
			}
		}
	}
}

func TestANumberToCalculateWithIsShort(t *testing.T) {
	for text, want := range map[string]bool{
		"1e999": true, "1e1000": false, "1e-1000": true, "1e-1001": false, "0e99999999999999999999": true,
		"1e99999999999999999999": false, "1e-99999999999999999999": false, `"12"`: true, `"1e1000"`: false,
		strings.Repeat("9", 1000): true, strings.Repeat("9", 1001): false, "true": false, `""`: false, "": false,
	} {
		if _, ok := item.DecimalOf([]byte(text)); ok != want {
			t.Errorf("%.40s: %v", text, ok)
		}
	}
}

// A number costs about its text, however long its digits or its exponent are.
func TestALongNumberCostsAboutItsText(t *testing.T) {
	const size = 4 << 20
	long := strings.Repeat("7", size)
	for _, text := range []string{long, "0." + long, long + "." + long, "1e" + long, "1e-" + long, long + "e" + long} {
		used := allocated(func() {
			d, ok := item.ParseDecimal(text)
			same := d
			if !ok || d.Compare(same) != 0 {
				t.Errorf("%.10s… is no number", text)
			}
		})
		if ratio := used / float64(len(text)); ratio > 4 {
			t.Errorf("%.10s… allocates %.1f times its text", text, ratio)
		}
	}
}

func FuzzDecimal(f *testing.F) {
	for _, seed := range [][2]string{
		{"1", "1.0"}, {"-0", "0e5"}, {".5", "5."}, {".", "e5"}, {"1e", "1e+-5"}, {"1.2.3", "--1"}, {"1e999999999999999999999", "-1e-999999999999999999999"},
		{"9223372036854775808", "-9223372036854775808"}, {"0.00100e-3", "+001e-006"}, {"\u00a012\n", "1_000"}, {"0x10", "1p4"}, {"Inf", "1/2"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if isModerate(a) && isModerate(b) {
			agree(t, a, b)
		}
		x, ok := item.ParseDecimal(a)
		y, okay := item.ParseDecimal(b)
		if !ok || !okay {
			return
		}
		same := x
		if x.Compare(y) != -y.Compare(x) || x.Compare(same) != 0 {
			t.Errorf("%q and %q are in no order", a, b)
		}
	})
}
