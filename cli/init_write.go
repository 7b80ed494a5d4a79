package cli

import (
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/source/config"
)

// initFiles are what init writes.
type initFiles struct {
	// - is stdout.
	configuration string

	// into is a configuration that is there and gets the job; empty: a new one is written.
	into string

	// --secrets; empty: none.
	secrets string
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

// sayHowToRun says the command that runs the configuration. Secrets come from the variables, which are by what
// they hold, or from those that are yet to be set: they are written into a file of variables, if one is named.
func sayHowToRun(
	w *world, file string, secrets []config.Attribute, variables map[string]string, secretsFile string,
) error {
	line := "sluice run " + cmp.Or(strings.TrimPrefix(file, "-"), "api.json")
	var unset []string
	var settings strings.Builder
	for _, a := range secrets {
		variable := ""
		if a.Value != "" {
			variable = variables[a.Value]
		}
		if variable == "" {
			variable = variableFor(a.Name, unset)
			unset = append(unset, variable)
		}
		if a.Value != "" && variables[a.Value] == "" {
			settings.WriteString(variable + "=" + variableQuoted(a.Value) + "\n")
		}
		line += " --attr-env '" + a.Name + "=" + variable + "'"
	}
	if settings.Len() > 0 && secretsFile != "" {
		if err := writeNew(w, "--secrets", secretsFile, settings.String()); err != nil {
			return err
		}
		w.Say("%s has the secrets, for you alone: %s", secretsFile, strings.Join(unset, " "))
		line += " --env-file " + secretsFile
	} else if len(unset) > 0 {
		w.Say("set these variables of the environment to the secrets: %s", strings.Join(unset, " "))
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

// A variable is one of the environment, with the attribute that it is for.
type variable struct {
	Attribute string `json:"attribute"`
	Variable  string `json:"variable"`
}

// settingFlags are the flags that set attributes without a value yet, and secrets by variables of the environment.
func settingFlags(missing, secrets []string) (flags []string, environment []variable) {
	for _, name := range missing {
		flags = append(flags, "--attr "+shellQuoted(name+"=…"))
	}
	var taken []string
	for _, name := range secrets {
		v := variable{name, variableFor(name, taken)}
		taken = append(taken, v.Variable)
		environment = append(environment, v)
		flags = append(flags, "--attr-env "+shellQuoted(v.Attribute+"="+v.Variable))
	}
	return flags, environment
}

// unsetVariables says which variables of the environment are to be set.
func unsetVariables(all []variable) string {
	text := "set these variables of the environment to the secrets:"
	for _, v := range all {
		text += " " + v.Variable
	}
	return text
}

// variableFor is the variable of the environment for a secret attribute, such as API_TOKEN for #token, and none of those that are
// taken.
func variableFor(attribute string, taken []string) string {
	name := strings.TrimPrefix(attribute, "#")
	name = strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	name = "API_" + strings.TrimPrefix(name, "API_")
	numbered := name
	for i := 2; slices.Contains(taken, numbered); i++ {
		numbered = name + "_" + strconv.Itoa(i)
	}
	return numbered
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
	return errors.Join(err, f.Close())
}
