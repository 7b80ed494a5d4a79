package s3_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sluice/sink/s3"
)

func TestASweepListsWhatIsOpenBelowThePrefix(t *testing.T) {
	p := embedded(t)
	for uri, want := range map[string]int{p.uri(""): 0, "s3://bucket": 0} {
		if all, err := s3.Sweep(t.Context(), p.options, uri, time.Time{}); err != nil || len(all) != want {
			t.Errorf("an empty bucket: got %v, %v", all, err)
		}
	}
	for _, key := range []string{"a/1", "a/1", "a/ü +", "b/1"} {
		p.begin(t, key)
	}
	for uri, want := range map[string]int{"s3://bucket": 4, "s3://bucket/": 4, "s3://bucket/a/": 3, "s3://bucket/a/ü": 1, "s3://bucket/c": 0} {
		all, err := s3.Sweep(t.Context(), p.options, uri, time.Time{})
		if err != nil || len(all) != want {
			t.Errorf("%s: got %v, %v, want %d", uri, all, err, want)
		}
		for _, u := range all {
			if u.Removed || u.ID == "" || time.Since(u.Since) > time.Minute {
				t.Errorf("got %+v", u)
			}
		}
	}
	if n := len(p.uploads()); n != 4 {
		t.Errorf("%d are open, want 4", n)
	}
}

func TestASweepEndsWhatIsOldAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inMemory(t, nil)
		p.begin(t, "old")
		time.Sleep(24 * time.Hour)
		p.begin(t, "new")
		time.Sleep(time.Hour)
		all := sweep(t, p, 24*time.Hour)
		if len(all) != 2 || all[0].URI != "s3://bucket/new" || all[0].Removed || !all[1].Removed || all[1].URI != "s3://bucket/old" {
			t.Errorf("got %+v", all)
		}
		if open := p.uploads(); len(open) != 1 || open[0] != "new" {
			t.Errorf("open are %q", open)
		}
	})
}

func TestAnUploadOfUnknownAgeStays(t *testing.T) {
	p := embedded(t)
	p.listen(&wire{before: func(_ string, _ int, r *http.Request) (*http.Response, error) {
		answer := answers(r, http.StatusOK, "", "")
		answer.Body = body(`<ListMultipartUploadsResult><Upload><Key>x</Key><UploadId>7</UploadId></Upload></ListMultipartUploadsResult>`)
		return answer, nil
	}})
	if all := sweep(t, p, 0); len(all) != 1 || all[0].Removed {
		t.Errorf("got %+v", all)
	}
}

func TestASweepGoesThroughAllPages(t *testing.T) {
	p := embedded(t)
	w := p.listen(&wire{before: func(kind string, _ int, r *http.Request) (*http.Response, error) {
		if kind == "uploads" {
			r.URL.RawQuery += "&max-uploads=7"
		}
		return nil, nil
	}})
	for i := range 50 {
		p.begin(t, fmt.Sprint(i%45))
	}
	all, err := s3.Sweep(t.Context(), p.options, p.uri(""), time.Time{})
	if pages := strings.Count(w.seen(), "uploads"); err != nil || len(all) != 50 || pages != 8 {
		t.Errorf("found %d on %d pages, %v", len(all), pages, err)
	}
	ended := 0
	for _, u := range sweep(t, p, 0) {
		if u.Removed {
			ended++
		}
	}
	if ended != 50 {
		t.Errorf("ended %d", ended)
	}
	p.holds(t)
}

func TestASweepThatIsRefusedSaysWhatItNeeds(t *testing.T) {
	p := embedded(t)
	p.listen(&wire{before: func(_ string, _ int, r *http.Request) (*http.Response, error) {
		return answers(r, 403, "AccessDenied", "Access Denied"), nil
	}})
	_, err := s3.Sweep(t.Context(), p.options, p.uri("a/"), time.Now())
	want := "s3://bucket/a/: " + p.options.Endpoint + " refuses: 403 AccessDenied: Access Denied; this takes the permission s3:ListBucketMultipartUploads"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
