// Sluice drains paged HTTP APIs: a JSON configuration says how the API is reached, logged into and paged through;
// every item is streamed as NDJSON or CSV to stdout, a file, a folder or a bucket.
package main

import (
	"os"

	"sluice/cli"
)

func main() { os.Exit(cli.Main()) }
