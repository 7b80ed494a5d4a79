package cli

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sluice/cli/discover/free"
	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/pipeline/report"
	"sluice/source/config"
)

// An unfinished ends an init that has written what it could, and has said what is left to a person (status 3).
type unfinished string

func (e unfinished) Error() string { return string(e) }

// Unwrap gives init the status of a run whose data may not be complete.
func (unfinished) Unwrap() error { return report.ErrNotComplete }

// initFiles are what init writes.
type initFiles struct {
	// - is stdout.
	configuration string

	// into is a configuration that is there and gets the job; empty: a new one is written.
	into string

	// --secrets; empty: none.
	secrets string
}

func (f *initFiles) flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name:        "output",
			Aliases:     []string{"o"},
			Value:       "-",
			Destination: &f.configuration,
			Usage:       "`FILE` that the configuration becomes; it must not be there yet",
		},
		&cli.StringFlag{
			Name:        "into",
			Destination: &f.into,
			Usage: "`FILE`, a configuration that gets the job of --from-curl, --from-har or --from-openapi: the next endpoint " +
				"of its API",
		},
		&cli.StringFlag{
			Name:        "secrets",
			Destination: &f.secrets,
			Usage: "`FILE`, not there yet, that only you can read (0600): the secrets of --from-curl and --from-har, for " +
				"run --env-file",
		},
	}
}

// mayBeNew tells whether they can be written: none is there yet.
func (f initFiles) mayBeNew() error {
	switch f.secrets {
	case "":
	case "-":
		return run.Usagef("--secrets -: name a file")
	case f.configuration:
		return run.Usagef("--secrets and --output name one file, %s: secrets do not go into the configuration", f.secrets)
	default:
		if err := mayBeNew("--secrets", f.secrets); err != nil {
			return err
		}
	}
	return mayBeNew("--output", f.configuration)
}

// sayHowToRun says the command that runs the configuration. Secrets that come from no variable yet are written into a
// file of variables, if one is named.
func sayHowToRun(
	w *world, file string, attributes []config.Attribute, variables map[string]string, secretsFile string,
) error {
	line := "sluice run " + cmp.Or(strings.TrimPrefix(file, "-"), "api.json")
	flags, unset := settingFlags(attributes, variables)
	line = strings.Join(append([]string{line}, flags...), " ")
	names := namesOf(unset)
	var settings strings.Builder
	for _, v := range unset {
		if v.value != "" {
			settings.WriteString(v.Variable + "=" + variableQuoted(v.value) + "\n")
		}
	}
	if settings.Len() > 0 && secretsFile != "" {
		if err := writeNew(w, "--secrets", secretsFile, settings.String()); err != nil {
			return err
		}
		w.Say("%s has the secrets, for you alone: %s", secretsFile, strings.Join(names, " "))
		line += " --env-file " + secretsFile
	} else if len(unset) > 0 {
		w.Say("%s", unsetVariables(unset))
	}
	w.Say("run it so:\n  %s", line)
	return nil
}

// variableQuoted is a value as a line of --env-file has it.
func variableQuoted(value string) string {
	if !strings.ContainsAny(value, "'\r\n") {
		return "'" + value + "'"
	}
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`", "\n", `\n`, "\r", `\r`)
	return `"` + escaped.Replace(value) + `"`
}

// plainInShell are the characters of a word that means the same to a shell with quotes and without.
const plainInShell = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-"

// shellWord is a word of a shell, in quotes where it needs them.
func shellWord(word string) string {
	if word != "" && strings.Trim(word, plainInShell) == "" {
		return word
	}
	return shellQuoted(word)
}

// shellQuoted is a word of a shell.
func shellQuoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// An unsetVariable is one of the environment that is yet to be set, with the attribute that it is for.
type unsetVariable struct {
	Attribute string `json:"attribute"`
	Variable  string `json:"variable"`

	// value is that of the attribute, where it is known.
	value string
}

// settingFlags are the flags that set attributes which a configuration refers to, those that are secret by variables of
// the environment. Variables are those that are there, by what they hold; unset are the others.
func settingFlags(attributes []config.Attribute, variables map[string]string) (flags []string, unset []unsetVariable) {
	for _, a := range attributes {
		if !isSecret(a) {
			flags = append(flags, "--attr "+shellQuoted(a.Name+"=…"))
			continue
		}
		name := ""
		if a.Value != "" {
			name = variables[a.Value]
		}
		if name == "" {
			taken := namesOf(unset)
			name = free.Name(variableFor(a.Name), "_", func(name string) bool { return slices.Contains(taken, name) })
			unset = append(unset, unsetVariable{Attribute: a.Name, Variable: name, value: a.Value})
		}
		flags = append(flags, "--attr-env "+shellQuoted(a.Name+"="+name))
	}
	return flags, unset
}

// withoutValues are attributes that have no value yet: those that are missing, and those that are secret.
func withoutValues(missing, secrets []string) (all []config.Attribute) {
	for _, name := range slices.Concat(missing, secrets) {
		all = append(all, config.Attribute{Name: name})
	}
	return all
}

// isSecret tells whether no value of an attribute may be shown.
func isSecret(a config.Attribute) bool { return strings.HasPrefix(a.Name, "#") }

// namesOf are the names of variables.
func namesOf(all []unsetVariable) (names []string) {
	for _, v := range all {
		names = append(names, v.Variable)
	}
	return names
}

// unsetVariables says which variables of the environment are to be set.
func unsetVariables(all []unsetVariable) string {
	return "set these variables of the environment to the secrets: " + strings.Join(namesOf(all), " ")
}

// variableFor is the variable of the environment that a secret attribute usually has, such as API_TOKEN for #token.
func variableFor(attribute string) string {
	name := strings.TrimPrefix(attribute, "#")
	name = strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	return "API_" + strings.TrimPrefix(name, "API_")
}

// mayBeNew tells whether a file can be written that is not there yet: by making it, and removing it again.
func mayBeNew(flag, name string) error {
	if name == "-" {
		return nil
	}
	f, err := openNew(flag, name)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(name))
}

func openNew(flag, name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, run.Usagef("%s: %w: name a file that is not there yet", flag, err)
	}
	return f, nil
}

// writeNew writes a file of a flag that is not there yet; - is stdout.
func writeNew(w *world, flag, name, text string) error {
	if name == "-" {
		_, err := io.WriteString(view.Printable(w.Stdout), text)
		return err
	}
	f, err := openNew(flag, name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	err = errors.Join(err, f.Close())
	if err != nil {
		// What is not whole would be in the way of the next attempt.
		_ = os.Remove(name)
	}
	return err
}
