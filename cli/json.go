package cli

import (
	"bytes"
	"encoding/json"
	"io"

	"sluice/pipeline/secret"
)

// writeJSON writes v for programs, with every secret in its strings replaced. Without
// an indent it is one line.
func writeJSON(w io.Writer, secrets *secret.Set, v any, indent string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(secrets.RedactJSON(text.Bytes()))
	return err
}

// print shows v on stdout, for programs.
func (e *extraction) print(v any) error { return writeJSON(e.world.stdout, e.secrets, v, "  ") }
