package s3

import (
	"context"
	"strings"
	"time"

	"sluice/sink/target"
)

// Sweep lists the open uploads, of every program, whose keys begin as uri says. It ends those that began
// before a time, none if that is zero; one of unknown age stays. What was found is returned also with an error.
func Sweep(ctx context.Context, o Options, uri string, before time.Time) ([]target.Leftover, error) {
	t, err := New(o, uri)
	if err != nil {
		return nil, err
	}
	// It only ends idle connections.
	defer func() { _ = t.Close() }()
	if err := t.connect(ctx); err != nil {
		return nil, err
	}
	var all []target.Leftover
	known := map[string]bool{}
	failing := t.prefix
	err = t.eachUpload(ctx, t.prefix, func(key, id string, since time.Time) error {
		u := target.Leftover{URI: t.uri(key), ID: id, Since: since}
		var err error
		if !since.IsZero() && !since.After(before) {
			u.Removed, err = t.abortUnlessPublishing(ctx, key, id, known)
		}
		all = append(all, u)
		if err != nil {
			failing = key
		}
		return err
	})
	return all, t.explain(ctx, failing, err)
}

// abortUnlessPublishing aborts an upload, and tells whether it has. known is what publishing has found out.
func (t *Target) abortUnlessPublishing(
	ctx context.Context,
	key, id string,
	known map[string]bool,
) (aborted bool, err error) {
	stays, err := t.publishing(ctx, key, known)
	if err != nil || stays {
		return false, err
	}
	err = t.abort(ctx, key, id)
	return err == nil, err
}

// publishing tells whether a run of shards above a key is being published, which its uploads belong to.
func (t *Target) publishing(ctx context.Context, key string, known map[string]bool) (bool, error) {
	key = key[:strings.LastIndexByte(key, '/')+1]
	if stays, ok := known[key]; ok {
		return stays, nil
	}
	texts, err := t.list(ctx, key+"_sluice/", "")
	if err != nil {
		return true, err
	}
	stays := false
	for name := range texts {
		if strings.HasSuffix(name, "/commit.json") {
			stays = true
		}
	}
	if !stays && key != "" {
		stays, err = t.publishing(ctx, strings.TrimSuffix(key, "/"), known)
	}
	known[key] = stays
	return stays, err
}
