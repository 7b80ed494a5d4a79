package cli

import (
	"context"
	"errors"
	"slices"

	"sluice/cli/discover"
	"sluice/cli/discover/extend"
	"sluice/cli/run"
	"sluice/cli/view"
	"sluice/pipeline/secret"
	"sluice/source"
	"sluice/source/config"
)

// An extension is a configuration that is there, and gets a job.
type extension struct {
	name string
	text []byte
	file *extend.ConfigFile
	to   *run.Replacement
}

// strayInto is an error if --into stands beside what it does not go with.
func (f initFiles) strayInto(others bool) error {
	switch {
	case f.into == "":
		return nil
	case others:
		return run.Usagef("--into needs --from-curl, --from-har or --from-openapi")
	case f.into == "-":
		return run.Usagef("--into -: name a file")
	case f.configuration != "-":
		return run.Usagef("--into stands beside --output: the new job goes into %s", f.into)
	case f.into == f.secrets:
		return run.Usagef("--secrets and --into name one file, %s: secrets do not go into the configuration", f.into)
	}
	return nil
}

// extends reads the configuration that gets the job of a description, and refuses what does not go together before
// anything is sent. It is nil if there is none.
func (p *program) extends(ctx context.Context, name string, api *discover.Description) (*extension, error) {
	if name == "" {
		return nil, nil
	}
	x, err := openExtension(ctx, p.world, name)
	if err != nil {
		return nil, err
	}
	if _, err := x.add(jobOf(api, discover.Observed{}, true)); err != nil {
		x.to.Close()
		return nil, err
	}
	return x, nil
}

// jobOf is the job of a description; isTried tells whether anybody has looked how it is paged.
func jobOf(api *discover.Description, found discover.Observed, isTried bool) extend.AddedJob {
	return extend.AddedJob{Configuration: api.Configuration(found), Secrets: api.Secrets, IsTried: isTried}
}

// openExtension reads a configuration that is there.
func openExtension(ctx context.Context, w *world, name string) (*extension, error) {
	to, err := run.NewReplacement(ctx, "--into", name)
	if err != nil {
		return nil, err
	}
	x := &extension{name: name, to: to}
	if err := x.read(ctx, w); err != nil {
		to.Close()
		return nil, err
	}
	return x, nil
}

// read reads the configuration that is there.
func (x *extension) read(ctx context.Context, w *world) error {
	var err error
	x.text, err = w.Read(ctx, x.name)
	if err != nil {
		return run.Usagef("--into: %w", err)
	}
	documents, err := usable(x.name, x.text)
	if err != nil {
		return run.Usagef("--into: %s does not validate:\n%w", x.name, err)
	}
	x.file, err = extend.Read(x.name, x.text, documents)
	if err != nil {
		return run.Usagef("--into: %w", err)
	}
	return nil
}

// add is the configuration with one job more.
func (x *extension) add(j extend.AddedJob) (extend.ExtendedConfig, error) {
	result, err := x.file.Add(j)
	if err != nil {
		return result, run.Usagef("--into: %w", err)
	}
	if _, err := usable(x.name, result.Text); err != nil {
		return result, run.Usagef("--into: with the new job %s would not validate, and stays as it is:\n%w", x.name, err)
	}
	return result, nil
}

// replace puts the configuration with the new job in the place of the one that is there.
func (x *extension) replace(ctx context.Context, w *world, r extend.ExtendedConfig) error {
	if err := x.to.Write(ctx, w, x.name, x.text, r.Text); err != nil {
		return err
	}
	for _, line := range r.Said {
		w.Say("%s", view.OneLine(line))
	}
	w.Say("%s", view.OneLine(x.name+" has the job "+r.Job+" now"))
	return nil
}

// usable are the documents of a configuration, if run takes it and every member has an effect but remarks.
func usable(name string, text []byte) ([]*config.Document, error) {
	documents, problems := examine(name, text)
	wrong := slices.DeleteFunc(problems, func(p config.Problem) bool { return !p.Doubt && p.Severity != "error" })
	if len(wrong) > 0 {
		return nil, &config.Error{Problems: wrong}
	}
	return documents, nil
}

// isGood is what validate says of a configuration that init has made, whose attributes are yet to be set.
func isGood(text []byte) error {
	_, problems := examine("the configuration", text)
	for _, problem := range problems {
		if !problem.Note {
			return errors.New(problem.Path + ": " + problem.Text)
		}
	}
	return nil
}

// examine are the documents of a configuration and what validate says of it, whatever values its attributes and variables
// of the environment get.
func examine(name string, text []byte) ([]*config.Document, []config.Problem) {
	p := config.Problems{AnyAttributes: true}
	root := config.Parse(name, text, &p)
	if p.Err() != nil {
		return nil, p.All()
	}
	options := source.Options{}
	options.Secrets = &secret.Set{}
	documents := run.Documents(root, options.Secrets, func(string) string { return "" }, false, &p)
	source.New(documents, options, &p)
	return documents, p.All()
}
