package expr_test

import (
	"strings"
	"testing"
)

func TestFunctionsOnTexts(t *testing.T) {
	cases{
		{"concat", call("concat", `"a"`, `"é"`, `""`, `"b"`), `"aéb"`},
		{"concat of scalars", call("concat", `1.0`, `","`, `true`, `false`, `null`, `{"attr":"big"}`), `"1.0,109007199254740993"`},
		{"concat of an object", call("concat", `"a"`, `{"attr":"deep"}`), "args[1]: concat needs text here, not an object"},
		{"escapes survive", call("concat", `"\"\\\n"`), `"\"\\\n"`},
		{"base64_encode", call("base64_encode", call("concat", `{"attr":"login"}`, `":"`, `{"attr":"#password"}`)), `"YW5uOnMzY3JldA=="`},
		{"base64_encode encodes UTF-8", call("base64_encode", `"é"`), `"w6k="`},
		{"urlencode", call("urlencode", `"a b&c=d/é-_.~*"`), `"a+b%26c%3Dd%2F%C3%A9-_.%7E%2A"`},
	}.run(t)
}

func TestImplodeJoinsAList(t *testing.T) {
	cases{
		{"a literal", call("implode", `", "`, `["a",1.0,true,null,`+call("md5", `""`)+`]`), `"a, 1.0, 1, , d41d8cd98f00b204e9800998ecf8427e"`},
		{"a reference", call("implode", `"|"`, `{"attr":"list"}`), `"a|1|1"`},
		{"an expression", call("implode", `"|"`, call("ifempty", `[]`, `{"attr":"list"}`)), `"a|1|1"`},
		{"nothing", call("implode", `","`, `[]`), `""`},
		{"empty texts", call("implode", `","`, `["",""]`), `","`},
		{"no list", call("implode", `["a"]`, `","`), "args[0]: implode needs text here, not an array"},
		{"no list behind", call("implode", `","`, `"a"`), "args[1]: implode needs an array here, not a string"},
		{"a list in the list", call("implode", `","`, `["a",["b"]]`), "args[1]: implode joins texts, and element 1 is an array"},
	}.run(t)
}

func TestIfEmptyTakesTheFirstThatIsNotEmpty(t *testing.T) {
	cases{
		{"a text", call("ifempty", `"a"`, `"b"`), `"a"`},
		{"a blank", call("ifempty", `" "`, `"b"`), `" "`},
		{"a number keeps its digits", call("ifempty", `1.50`, `2`), `1.50`},
		{"an array", call("ifempty", `{"attr":"list"}`, `"b"`), `["a",1,true]`},
		{"null", call("ifempty", `{"attr":"nothing"}`, `"b"`), `"b"`},
		{"empty text", call("ifempty", `""`, `{"attr":"n"}`), `7`},
		{"zero", call("ifempty", `0`, `"b"`), `"b"`},
		{"zero as text", call("ifempty", `"0"`, `"b"`), `"b"`},
		{"false", call("ifempty", `{"attr":"no"}`, `"b"`), `"b"`},
		{"an empty array", call("ifempty", `[]`, `null`), `null`},
	}.run(t)
}

// The digests were made with Python's hashlib, hmac and zlib; those of FNV and
// CRC-32C with a few lines after their definitions.
func TestHashes(t *testing.T) {
	for algorithm, want := range map[string]string{
		"md5":        "9e107d9d372bb6826bd81d3542a419d6",
		"sha1":       "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
		"sha224":     "730e109bd7a8a32b1cb9d9a09aa2325d2430587ddbc0c38bad911525",
		"SHA256":     "d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592",
		"sha384":     "ca737f1014a48f4c0b6dd43cb177b0afd9e5169367544c494011e3317dbf9a509cb1e5dc1e85a941bbee3d7f2afbc9b1",
		"sha512":     "07e547d9586f6a73f73fbac0435ed76951218fb7d0c8d788a309d785436bbb642e93a252a954f23912547d1e8a3b5ed6e1bfd7097821233fa0538f3db854fee6",
		"sha512/224": "944cd2847fb54558d4775db0485a50003111c8e5daa63fe722c6aa37",
		"sha512/256": "dd9d67b371519c339ed8dbd25af90e976a1eeefd4ad3d889005e532fc5bef04d",
		"sha3-224":   "d15dadceaa4d5d7bb3b48f446421d542e08ad8887305e28d58335795",
		"sha3-256":   "69070dda01975c8c120c3aada1b282394e7f032fa9cf32f4cb2259a0897dfc04",
		"sha3-384":   "7063465e08a93bce31cd89d2e3ca8f602498696e253592ed26f07bf7e703cf328581e1471a7ba7ab119b1a9ebdf8be41",
		"sha3-512":   "01dedd5de4ef14642445ba5f5b97c15e47b9ad931326e4b0727cd94cefc44fff23f07bf543139939b49128caf436dc1bdee54fcb24023a08d9403f9b4bf0d450",
	} {
		if got := eval(t, call("hash", `"`+algorithm+`"`, `"The quick brown fox jumps over the lazy dog"`)); got != `"`+want+`"` {
			t.Errorf("%s: got %s, want %s", algorithm, got, want)
		}
	}
	cases{
		{"md5 of UTF-8", call("md5", `"é"`), `"66ddcd97cfdeabb2f6fb8a999b4bc76f"`},
		{"sha1", call("sha1", `"ann:s3cret"`), `"582dafc84566011546dae238af6f9d3edccafefe"`},
	}.run(t)
}

func TestHMAC(t *testing.T) {
	for algorithm, want := range map[string]string{
		"md5":      "80070713463e7749b90c2dc24911e275",
		"sha256":   "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
		"sha512":   "b42af09057bac1e2d41708e48a902e09b5ff7f12ab428a4fe86653c73dd248fb82f948a549f7b791a5b41915ee4d1ec3935357e4e2317250d0372afa2ebeeb3a",
		"sha3-256": "8c6e0683409427f8931711b10ca92a506eb1fafa48fadd66d76126f47ac2c333",
	} {
		got := eval(t, call("hash_hmac", `"`+algorithm+`"`, `"The quick brown fox jumps over the lazy dog"`, `"key"`))
		if got != `"`+want+`"` {
			t.Errorf("%s: got %s, want %s", algorithm, got, want)
		}
	}
}

func TestAnUnknownAlgorithmNamesThoseThatThereAre(t *testing.T) {
	cases{
		{"hash", call("hash", `"sha-256"`, `"a"`), "args[0]: unknown algorithm for hash (have md5, sha1, sha224," +
			" sha256, sha3-224, sha3-256, sha3-384, sha3-512, sha384, sha512, sha512/224, sha512/256; did you mean sha256?)"},
		{"a checksum signs nothing", call("hash_hmac", `"crc32b"`, `"a"`, `"key"`), "args[0]: unknown algorithm for hash_hmac (have md5, sha1, " +
			"sha224, sha256, sha3-224, sha3-256, sha3-384, sha3-512, sha384, sha512, sha512/224, sha512/256)"},
	}.run(t)
}

func TestTimeFunctions(t *testing.T) {
	cases{
		{"time", call("time"), `1769862896`},
		{"time without args", `{"function":"time"}`, `1769862896`},
		{"date of now", call("date", `"Y-m-d H:i:s"`), `"2026-01-31 12:34:56"`},
		{"date of a time", call("date", `"Y-m-d"`, `0`), `"1970-01-01"`},
		{"date of a time as text", call("date", `"c"`, `"1076599161.9"`), `"2004-02-12T15:19:21+00:00"`},
		{"date of an expression", call("date", `"Y-m-d"`, call("strtotime", `"-7 days"`)), `"2026-01-24"`},
		{"date of a text", call("date", `"Y"`, `"yesterday"`), "args[1]: date needs a number here"},
		{"date of milliseconds", call("date", `"Y"`, `1769862896000`),
			"args[1]: date needs Unix seconds between the years 0 and 9999 here (are these milliseconds?)"},
		{"strtotime", call("strtotime", `"2026-01-31 +1 month"`), `1772496000`},
		{"strtotime with a base", call("strtotime", `"+1 day"`, `0`), `86400`},
		{"strtotime rounds down", call("strtotime", `"1970-01-01T00:00:01.9Z"`), `1`},
	}.run(t)
}

// What a login gave may be longer, and ifempty takes it for the next one.
func TestAValueThatIsHandedOnMayBeLong(t *testing.T) {
	long := `"` + strings.Repeat("a", 5<<20) + `"`
	for _, text := range []string{call("ifempty", long, `"b"`), call("ifempty", `""`, long)} {
		if got := eval(t, text); got != long {
			t.Errorf("got %.200s", got)
		}
	}
}

func TestNestedEncodingsCannotFillTheMemory(t *testing.T) {
	text := `"` + strings.Repeat("a", 1000) + `"`
	for range 45 { // each makes a third more of it
		text = call("base64_encode", text)
	}
	if got := eval(t, text); !strings.HasSuffix(got, ": base64_encode makes more than 4 MiB") {
		t.Errorf("got %.200s", got)
	}
	wide := call("sprintf", `"`+strings.Repeat("%9999d", 2000)+`"`, strings.Repeat("1,", 1999)+"1")
	if got := eval(t, wide); got != "sprintf makes more than 4 MiB" {
		t.Errorf("got %.200s", got)
	}
}
