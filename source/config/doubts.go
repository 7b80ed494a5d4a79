package config

import (
	"slices"
	"strings"
)

// Doubts are the problems of [Problems.Doubtf] that are about how a job asks, and by the ids of these jobs the
// first of each; only jobs that run count.
func (p *Problems) Doubts(docs []*Document, runs []string) (all []Problem, jobs map[string]Problem) {
	places := newPlaces(docs, runs)
	jobs = map[string]Problem{}
	for _, problem := range p.All() {
		if !problem.Doubt {
			continue
		}
		if ids := places.jobsOf(problem.Path); len(ids) > 0 {
			all = append(all, problem)
			for _, id := range ids {
				if _, hasOne := jobs[id]; !hasOne {
					jobs[id] = problem
				}
			}
		}
	}
	return all, jobs
}

// jobPlaces are where jobs stand in documents.
type jobPlaces struct {
	// api are the paths of the sections of that name.
	api map[string]bool

	// jobs are the ids of those at a path, without those that do not run.
	jobs map[string][]string

	runs []string
}

func newPlaces(docs []*Document, runs []string) *jobPlaces {
	l := &jobPlaces{api: map[string]bool{}, jobs: map[string][]string{}, runs: runs}
	isRun := map[string]bool{}
	for _, id := range runs {
		isRun[id] = true
	}
	for _, d := range docs {
		l.api[d.apiPath] = true
		each(d.Jobs, func(j *Job) {
			at := j.Node.Path
			ids := l.jobs[at]
			if isRun[j.ID] && !slices.Contains(ids, j.ID) {
				ids = append(ids, j.ID)
			}
			l.jobs[at] = ids
		})
	}
	return l
}

// jobsOf are the ids of the jobs for which what stands at a path has a bearing: of all if it is a part of api.
func (l *jobPlaces) jobsOf(path string) []string {
	for end := strings.LastIndexAny(path, ".["); end > 0; end = strings.LastIndexAny(path[:end], ".[") {
		if l.api[path[:end]] {
			return l.runs
		}
		if ids, isJob := l.jobs[path[:end]]; isJob {
			return ids
		}
	}
	return nil
}
