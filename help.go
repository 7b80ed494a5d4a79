package main

// appHelp fits a screen and begins with what most people want.
const appHelp = `Drains paged HTTP APIs into pipes, files and buckets.

  sluice demo                          see it work, with nothing to set up
  sluice run api.json | jq .           every item of an API, one a line
  sluice run api.json -o users.csv.gz  into a file, a FOLDER/ or s3://bucket/key

Before a run
  validate CONFIG   check a configuration; no request is sent
  plan CONFIG       what would be asked, as curl commands; no request is sent
  check CONFIG      log in, and show what the first page of each job holds
  jobs CONFIG       the ids of the jobs, as a JSON array
  schema            the JSON Schema of the configuration, for editors

And
  run CONFIG        extract
  sweep s3://…      list uploads that a killed run left open in a bucket
  demo              extract from an API that is built in
  completion SHELL  the completion script for bash, zsh or fish
  version           the version

sluice COMMAND --help shows examples and flags. CONFIG is a file, or - (stdin).
`

// commandHelp shows the examples first: they are what most people want.
const commandHelp = `{{.Usage}}

  sluice {{.UsageText}}
{{if .Description}}
{{.Description}}
{{end}}{{if .VisibleFlags}}
Flags, before or behind CONFIG; each has an environment twin SLUICE_FLAG:
{{range .VisibleFlags}}   {{.}}
{{end}}{{end}}`
