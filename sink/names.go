package sink

import "sluice/sink/commit"

// Shared is what the processes of a run share.
type Shared = commit.Shared

// Taken says that two outputs, or an output and the file of a flag, are one file.
type Taken = commit.Taken

// NotReady says that shards are missing.
type NotReady = commit.NotReady

// What package commit says, under its earlier names.
var (
	ErrShards    = commit.ErrShards
	ErrOvertaken = commit.ErrOvertaken
	Sweep        = commit.Sweep
	ShardName    = commit.ShardName
)
