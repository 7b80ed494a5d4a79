package main

import (
	"io"

	"github.com/urfave/cli/v2"
)

// completions are the scripts by shell. Those of bash and zsh ask the program
// itself what may come next; where it does not know, they offer files.
var completions = map[string]string{
	"bash": `_sluice() {
  local current="${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[@]:0:COMP_CWORD}" ${current:+"$current"} --generate-bash-completion 2>/dev/null)" -- "$current"))
}
complete -o bashdefault -o default -F _sluice sluice
`,
	"zsh": `#compdef sluice
_sluice() {
  local -a candidates
  candidates=("${(@f)$("${words[@]:0:#words[@]-1}" ${words[-1]:+"${words[-1]}"} --generate-bash-completion 2>/dev/null)}")
  compadd -a candidates || _files
}
compdef _sluice sluice
`,
}

func completionCommand(w *world) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for bash, zsh or fish",
		UsageText: "completion bash|zsh|fish",
		Description: `Examples:
  source <(sluice completion bash)
  sluice completion fish > ~/.config/fish/completions/sluice.fish`,
		Action: func(c *cli.Context) error {
			shell := c.Args().First()
			script := completions[shell]
			if shell == "fish" {
				var err error
				if script, err = c.App.ToFishCompletion(); err != nil {
					return err
				}
			}
			if script == "" || c.NArg() != 1 {
				return usagef("which shell? Usage: sluice %s", c.Command.UsageText)
			}
			_, err := io.WriteString(w.stdout, script)
			return err
		},
	}
}
