package cli

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

func TestValuesOfARepeatedFlagStayAsTheyWereGiven(t *testing.T) {
	for _, want := range [][]string{nil, {""}, {"", ""}, {"key=line\r\nline\r\n"}, {`"quoted", with comma`, "\n"}} {
		cmd := &cobra.Command{}
		cmd.Flags().StringArray("attr", nil, "")
		for _, v := range want {
			if err := cmd.Flags().Set("attr", v); err != nil {
				t.Fatal(err)
			}
		}
		if got := (invocation{cmd, nil}).Strings("attr"); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
