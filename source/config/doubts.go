package config

import (
	"slices"
	"strings"
)

// remarks are names of members that people write for people, as they stand and as beginnings.
var (
	remarks      = []string{"comment", "description"}
	remarkBegins = []string{"_", "$", "//", "x-"}
)

// isRemark tells whether a member that is unknown is meant to have no effect, by its name.
func isRemark(name string) bool {
	begins := func(with string) bool { return strings.HasPrefix(name, with) }
	return slices.Contains(remarks, name) || slices.ContainsFunc(remarkBegins, begins)
}

// Doubtf adds a warning about what has no effect, so that the data may be other than what is meant.
func (p *Problems) Doubtf(n *Node, format string, args ...any) {
	p.Warnf(n, format, args...)
	p.list[len(p.list)-1].Doubt = true
}

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
