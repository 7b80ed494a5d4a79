package commit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sluice/pipeline"
)

const (
	// The folder of what shards share.
	texts = "_sluice/"
	// Bytes of a text or a manifest that are read at most.
	longestText = 128 << 20
)

const (
	// Begins the name of every manifest.
	manifestStem = "_manifest"
	// Bytes that file systems allow for a part of a path.
	longestName = 255
)

// Marks stand in a template where names have numbers. No name may have one.
const (
	PartMark   = "\x00part\x00"
	ShardMark  = "\x00shard\x00"
	ShardsMark = "\x00shards\x00"
)

// ManifestName is that of a run of these jobs, all if none, below its folder.
func ManifestName(jobs []string) string {
	if len(jobs) == 0 {
		return manifestStem + ".json"
	}
	return manifestStem + "-" + JobsName(jobs) + ".json"
}

// JobsName stands for jobs in the name of their manifest. No job's file name has a dot. Names that are too many
// for one name become the first half of their SHA-256, so that the same jobs always have the same manifest.
func JobsName(jobs []string) string {
	names := make([]string, len(jobs))
	for i, job := range jobs {
		names[i] = pipeline.FileName(job)
	}
	slices.Sort(names)
	all := strings.Join(slices.Compact(names), ".")
	if len(manifestStem+"-"+all+".json") <= longestName {
		return all
	}
	sum := sha256.Sum256([]byte(all))
	return hex.EncodeToString(sum[:sha256.Size/2])
}

// PathFrom is the path of an output from the folder of the manifest. Both are names at one place.
func PathFrom(manifest, name string) string {
	above := strings.Split(manifest, "/")
	below := strings.Split(name, "/")
	// The last of each is the name of a file.
	for len(above) > 1 && len(below) > 1 && above[0] == below[0] {
		above, below = above[1:], below[1:]
	}
	return strings.Repeat("../", len(above)-1) + strings.Join(below, "/")
}

// CheckName refuses what does not stay below its folder.
func CheckName(name string) error { return checkName("--name", name) }

// CheckManifest refuses what cannot be the name of a manifest.
func CheckManifest(name string) error {
	if strings.HasPrefix(name, texts) {
		return fmt.Errorf("--manifest: %s is below %s, which is for what shards share", name, texts)
	}
	return checkName("--manifest", name)
}

// checkName is CheckName for what a flag says.
func checkName(flag, name string) error {
	isClean := name != "." && path.Clean(name) == name
	isBelow := filepath.IsLocal(name) && !strings.ContainsAny(name, "\\\x00")
	if !isClean || !isBelow {
		return fmt.Errorf("%s: %q is not the name of a file below the folder", flag, name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > longestName {
			return fmt.Errorf(
				"%s: a file name of %d bytes is too long, %d are allowed: %s",
				flag,
				len(part),
				longestName,
				part,
			)
		}
	}
	return nil
}

// checkNames refuses names that do not stay below the place, or that come twice.
func checkNames(names []string) error {
	taken := map[string]bool{}
	for _, name := range names {
		if err := CheckName(name); err != nil {
			return err
		}
		switch {
		case strings.HasPrefix(name, texts):
			return fmt.Errorf("%s is below %s, which is reserved for what shards share", name, texts)
		case taken[name]:
			return fmt.Errorf("two objects have the name %s", name)
		}
		taken[name] = true
	}
	return nil
}
