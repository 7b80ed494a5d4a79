package discover

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Options of curl, a letter after the slash.
const (
	flags = "silent/s show-error/S location/L location-trusted fail/f fail-with-body include/i verbose/v compressed " +
		"globoff/g progress-bar/# no-progress-meter no-buffer/N http1.1 http2 http3 tlsv1.2 basic path-as-is " +
		"remote-name/O insecure/k get/G"
	valued = "output/o max-time/m connect-timeout retry retry-delay retry-max-time max-redirs write-out/w " +
		"dump-header/D cookie-jar/c proxy/x proxy-user/U noproxy cert/E key cacert resolve connect-to " +
		"url request/X user/u header/H user-agent/A cookie/b referer/e oauth2-bearer " +
		"data/d data-ascii data-binary data-raw data-urlencode json"
)

// An option of a curl command has the long name.
type option struct{ name, value string }

// splitOptions separates the options of a curl command from the addresses.
func splitOptions(words []string) (options []option, addresses []string, err error) {
	f := pflag.NewFlagSet("curl", pflag.ContinueOnError)
	f.Usage = func() {}
	declare := func(names string, add func(name, letter, usage string, do func(string) error)) {
		for name := range strings.FieldsSeq(names) {
			name, letter, _ := strings.Cut(name, "/")
			add(name, letter, "", func(value string) error {
				options = append(options, option{name, value})
				return nil
			})
		}
	}
	declare(flags, f.BoolFuncP)
	declare(valued, f.FuncP)
	err = f.Parse(words)
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if ok {
		return nil, nil, fmt.Errorf("no configuration can say what the option %.20s does: "+
			"leave it out if the answer is the same without it", unknown.GetSpecifiedName())
	}
	return options, f.Args(), err
}
