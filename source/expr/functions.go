package expr

import (
	"encoding/base64"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"sluice/pipeline/item"
)

// many is the greatest number of arguments of a function that takes any number.
const many = math.MaxInt

// A builtin makes one value of its arguments.
type builtin struct {
	// Number of arguments.
	min, max int

	apply func(in *functionInput) jsontext.Value
}

// functions are all that there are.
var functions = map[string]builtin{
	"base64_encode": {1, 1, onText(base64Encode)},
	"concat":        {1, many, concat},
	"date":          {1, 2, date},
	"hash":          {2, 2, hashWith},
	"hash_hmac":     {3, 3, hashWith},
	"ifempty":       {2, 2, ifEmpty},
	"implode":       {2, 2, implode},
	signJWT:         {3, 4, signedToken},
	"last":          {2, 4, lastFunction},
	"md5":           {1, 1, hashText(algorithms["md5"])},
	"sha1":          {1, 1, hashText(algorithms["sha1"])},
	"sprintf":       {1, many, sprintf},
	"strtotime":     {1, 2, strToTime},
	"time":          {0, 0, currentTime},
	"urlencode":     {1, 1, onText(urlEncode)},
}

func base64Encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

func concat(in *functionInput) jsontext.Value { return in.join(in.texts(), "") }

// date formats its second argument, Unix seconds, or the time of now.
func date(in *functionInput) jsontext.Value { return item.Quote(FormatDate(in.text(0), in.moment(1))) }

func currentTime(in *functionInput) jsontext.Value { return unixSeconds(in.clock()) }

// implode joins the elements of a list with a glue between them.
func implode(in *functionInput) jsontext.Value {
	glue := in.text(0)
	if kind := item.Kind(in.values[1].JSON); kind != '[' {
		return in.fault(1, "implode needs an array here, not %s", item.Noun(kind))
	}
	var all []string
	for element := range item.Elements(in.values[1].JSON) {
		text, ok := item.Text(element)
		kind := item.Kind(element)
		if !ok && kind != 'n' {
			return in.fault(1, "implode joins texts, and element %d is %s", len(all), item.Noun(kind))
		}
		all = append(all, text)
	}
	return in.join(all, glue)
}

// ifEmpty gives the second argument if the first is empty: null, false, zero, "", "0", [] or {}.
func ifEmpty(in *functionInput) jsontext.Value {
	if item.True(in.values[0].JSON) {
		return in.values[0].JSON
	}
	return in.values[1].JSON
}

func unixSeconds(t time.Time) jsontext.Value { return strconv.AppendInt(nil, t.Unix(), 10) }

// strToTime reads a time, seen from its second argument or from now.
func strToTime(in *functionInput) jsontext.Value {
	t, err := ParseTime(in.text(0), in.moment(1))
	if err != nil {
		return in.fault(0, "%s", err)
	}
	return unixSeconds(t)
}

// urlEncode leaves letters, digits and -_. as they are, as PHP does.
func urlEncode(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "~", "%7E") }
