package sink

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// placeholders are those of --name, as its documentation orders them.
const placeholders = "{dataType} {job} {date} {runId} {part} {shard} {shards} {attr:NAME} {ext}"

// defaultName is --name where it is not given.
func defaultName(o *Options) string {
	name := "{dataType}"
	if o.Shards > 0 {
		name += "-{shard}-of-{shards}"
	}
	if o.Roll > 0 {
		name += "-{part}"
	}
	return name + ".{ext}"
}

// checkOutput refuses placeholders in --output.
func checkOutput(o *Options, single string) error {
	braces := regexp.MustCompile(`^(.*?)([^/]*\{[A-Za-z]+(:[^}]*)?\}.*)$`).FindStringSubmatch(o.Output)
	if braces == nil {
		return nil
	}
	folder, name := cmp.Or(braces[1], "./"), braces[2]
	if single == "" {
		name += defaultName(o)
	}
	return fmt.Errorf(
		"--output %s: placeholders are for names below a folder: write --output %s --name '%s'",
		o.Output, folder, name,
	)
}

// number is how those of parts and shards are written in names.
func number(n int) string { return fmt.Sprintf("%05d", n) }

// A filling is what comes in the place of placeholders.
type filling struct {
	// As messages list them.
	have string

	values map[string]string

	// The value of {attr:NAME}; nil: there are none.
	attribute func(name string) (string, error)
}

// A nothingError is a placeholder without a value.
type nothingError struct{ placeholder string }

func (n *nothingError) Error() string { return "there is no value for " + n.placeholder }

// into fills a template.
func (f *filling) into(template string) (string, error) {
	var failed error
	name := regexp.MustCompile(`\{[^}]*}?`).ReplaceAllStringFunc(template, func(placeholder string) string {
		value, err := f.value(placeholder)
		if err == nil && value == "" {
			err = &nothingError{placeholder}
		}
		if err != nil {
			failed = err
		}
		return value
	})
	return name, failed
}

// value is what stands for a placeholder.
func (f *filling) value(placeholder string) (string, error) {
	name := strings.Trim(placeholder, "{}")
	value, isKnown := f.values[name]
	attribute, isAttribute := strings.CutPrefix(name, "attr:")
	if isAttribute && f.attribute != nil {
		text, err := f.attribute(attribute)
		if err != nil {
			return "", err
		}
		// As Hive writes it.
		value = strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
		isKnown = true
	}
	if !strings.HasSuffix(placeholder, "}") {
		return "", errors.New("a { has no }")
	}
	if !isKnown {
		return "", fmt.Errorf("unknown placeholder %s (have %s)", placeholder, f.have)
	}
	return value, nil
}
