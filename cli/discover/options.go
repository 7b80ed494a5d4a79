package discover

import (
	"fmt"
	"slices"
	"strings"
)

// Options of curl, a letter after the slash.
const (
	flags = "silent/s show-error/S location/L location-trusted fail/f fail-with-body include/i verbose/v compressed " +
		"globoff/g progress-bar/# no-progress-meter no-buffer/N http1.1 http2 http3 tlsv1.2 basic path-as-is " +
		"remote-name/O insecure/k get/G"
	valued = "output/o max-time/m connect-timeout retry retry-delay retry-max-time max-redirs write-out/w " +
		"dump-header/D cookie-jar/c proxy/x proxy-user/U noproxy cert/E key cacert resolve connect-to " +
		"url request/X user/u header/H user-agent/A cookie/b referer/e oauth2-bearer aws-sigv4 " +
		"data/d data-ascii data-binary data-raw data-urlencode json"
)

// An option of a curl command has the long name.
type option struct{ name, value string }

// An optionKind is the name of an option of curl, and whether it takes a value.
type optionKind struct {
	name     string
	hasValue bool
}

// kinds are the options as they are written, such as -s and --silent.
func kinds() map[string]optionKind {
	all := map[string]optionKind{}
	add := func(names string, hasValue bool) {
		for both := range strings.FieldsSeq(names) {
			name, letter, _ := strings.Cut(both, "/")
			k := optionKind{name, hasValue}
			all["--"+name] = k
			if letter != "" {
				all["-"+letter] = k
			}
		}
	}
	add(flags, false)
	add(valued, true)
	return all
}

// splitOptions separates the options of a curl command from the addresses, as curl does: a value is the next word, or
// the rest of a word of letters.
func splitOptions(words []string) (options []option, addresses []string, err error) {
	s := &splitter{kinds: kinds(), words: words}
	for len(s.words) > 0 {
		word := s.next()
		isLong := strings.HasPrefix(word, "--")
		isLetters := strings.HasPrefix(word, "-") && word != "-"
		switch {
		case word == "--":
			return s.options, slices.Concat(addresses, s.words), nil
		case isLong:
			err = s.long(word)
		case isLetters:
			err = s.letters(word[1:])
		default:
			addresses = append(addresses, word)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return s.options, addresses, nil
}

type splitter struct {
	kinds map[string]optionKind

	// words are those that are left.
	words   []string
	options []option
}

func (s *splitter) next() string {
	word := s.words[0]
	s.words = s.words[1:]
	return word
}

// long takes a word such as --silent.
func (s *splitter) long(word string) error {
	k, known := s.kinds[word]
	if !known {
		return s.unknown(word)
	}
	return s.add(k, "")
}

// letters takes a word such as -sS or -XPOST, without its dash.
func (s *splitter) letters(word string) error {
	for i, letter := range word {
		name := "-" + string(letter)
		k, known := s.kinds[name]
		if !known {
			return s.unknown(name)
		}
		if k.hasValue {
			// A letter that is known is one byte.
			return s.add(k, word[i+1:])
		}
		s.options = append(s.options, option{name: k.name})
	}
	return nil
}

// add adds an option with the value that is attached to it, or else the next word.
func (s *splitter) add(k optionKind, value string) error {
	if k.hasValue && value == "" {
		if len(s.words) == 0 {
			return fmt.Errorf("--%s: its value is missing", k.name)
		}
		value = s.next()
	}
	s.options = append(s.options, option{k.name, value})
	return nil
}

func (s *splitter) unknown(word string) error {
	name, _, _ := strings.Cut(word, "=")
	if _, known := s.kinds[name]; known {
		return fmt.Errorf("%s: curl does not take = after the name of an option: write a space instead", name)
	}
	return fmt.Errorf("the option %.20s cannot be part of a configuration: leave it out if the answer is the "+
		"same without it", strings.TrimLeft(name, "-"))
}
