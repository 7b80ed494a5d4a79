package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sluice/cli/run"

	"github.com/urfave/cli/v2"
)

// completions are the scripts by shell, which ask the program itself. That of bash, which cuts words at = and :, cuts anew.
var completions = map[string]string{
	"bash": `# bash completion of sluice
_sluice() {
    local line=${COMP_LINE:0:COMP_POINT} words word
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    word=${words[${#words[@]}-1]}
    COMPREPLY=()
    while IFS=$'\t' read -r line _; do
        COMPREPLY+=("${line#"${word%"${COMP_WORDS[COMP_CWORD]#=}"}"}")
    done < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
}
complete -o bashdefault -o default -F _sluice sluice
`,
	"zsh": `#compdef sluice
_sluice() {
    local -a found
    local line tab=$'\t'
    for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        [[ -n $line ]] && found+=("${${line//:/\\:}/$tab/:}")
    done
    if (( $#found )); then
        _describe sluice found
    else
        _files
    fi
}
if [[ ${funcstack[1]} == _sluice ]]; then
    _sluice "$@"
else
    compdef _sluice sluice
fi
`,
	"fish": `# fish completion of sluice
function __sluice_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c sluice -n 'count (__sluice_complete) >/dev/null' -f -a '(__sluice_complete)'
`,
}

func completionCommand(w *world) *cli.Command {
	return &cli.Command{
		Name: "completion", ArgsUsage: "bash|zsh|fish",
		Usage: "print a completion script for a shell",
		UsageText: `  source <(sluice completion bash)
  sluice completion fish > ~/.config/fish/completions/sluice.fish`,
		Action: func(c *cli.Context) error {
			script := completions[c.Args().First()]
			if script == "" || c.Args().Len() > 1 {
				return run.Usagef("which shell? Usage: %s", usageLine(c.Command))
			}
			_, err := io.WriteString(w.Stdout, script)
			return err
		},
	}
}

// candidatesCommand prints what the last of its arguments, the words of a command line, may become.
func candidatesCommand(w *world) *cli.Command {
	return &cli.Command{
		Name: "__complete", Hidden: true, SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			last := c.Args().Get(c.Args().Len() - 1)
			for _, candidate := range candidates(c.App, c.Args().Slice(), last) {
				if strings.HasPrefix(candidate, last) {
					if _, err := fmt.Fprintln(w.Stdout, candidate); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
}

// candidates are what may stand for the last of words.
func candidates(app *cli.App, words []string, last string) (all []string) {
	if len(words) < 2 || words[0] == "help" {
		for _, c := range app.VisibleCommands() {
			all = append(all, c.Name+"\t"+c.Usage)
		}
		return all
	}
	command := app.Command(words[0])
	if command == nil {
		return nil
	}
	if command.Name == "completion" {
		return slices.Sorted(maps.Keys(completions))
	}
	flag, before := words[len(words)-2], ""
	if name, _, ok := strings.Cut(last, "="); ok {
		flag, before = name, name+"="
	}
	if before == "" && strings.HasPrefix(last, "-") {
		for _, f := range command.Flags {
			_, usage := describe(f.(cli.DocGenerationFlag))
			all = append(all, "--"+f.Names()[0]+"\t"+usage)
		}
	} else if l, ok := flagOf(command, strings.TrimLeft(flag, "-")).(*listed); ok && strings.HasPrefix(flag, "-") {
		for _, value := range l.values {
			all = append(all, before+value)
		}
	}
	return all
}
