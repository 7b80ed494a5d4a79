# One command before every push: make check.

LINT     := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
VULN     := go run golang.org/x/vuln/cmd/govulncheck@v1.8.0
ACTIONS  := go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
REVISION ?= $(shell git rev-parse HEAD 2>/dev/null)
MODULE   := $(shell sed -n 's/^module //p' go.mod)
BINARY   ?= sluice
FUZZTIME ?= 10s
PLANS    ?= 2000
REAL_PLANS ?= 200
KILLS    ?= 300
COVERBAR ?= 85
CACHE    := $(abspath $(or $(SLUICE_CACHE),.cache))
GATEWAY  := v1.8.0
RELEASE  := $(shell sed -n 's/^\#\# \[\([0-9][^]]*\)\].*/\1/p' CHANGELOG.md | head -1)
DATE     := $(shell sed -n 's/^\#\# \[[0-9][^]]*\] - //p' CHANGELOG.md | head -1)
RELEASE_GO := go$(shell sed -n 's/^FROM .*golang:\([0-9.]*\).*/\1/p' Dockerfile)# the same for the image
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
IMAGE    ?= sluice
TAGS     := urfave_cli_no_docs# leaves out what writes manual pages, 0.3 MB of the binary
# What is far from the path of an item is compiled for size, without inlining: 2.6 MB of the binary.
FAR      := github.com/aws github.com/johannesboyne github.com/urfave go.yaml.in mvdan.cc $(MODULE)/cli \
	$(addprefix $(MODULE)/source/,check compile config plan schema suggest)
SMALL     = $(foreach path,$(FAR),-gcflags=$(path)/...=-l)

# The rooms that start goroutines, or share what they have among those of others.
SHARING  := ./cli/consent ./cli/run ./cli/view ./pipeline/... ./sink/... ./source/transport/... ./source/walk
# What the race detector looks at, for go test.
RACING    = -race -timeout 30m -skip '^TestScenarios$$' $$(go list ./... | grep -v /fixtures/pages$$)

.PHONY: check format lint vet vuln race race-rooms race-clock race-64 tidy fmt test whole clock acceptance report-check pictures faults kills cover fuzz bench benchmarks build version notes release licences packages release-check actions image module versitygw

check: format lint vet vuln test race-rooms tidy ## what must hold before a push, in minutes; CI has the race detector on the other rooms too

format: ## say which files gofmt would change
	@files="$$(gofmt -l .)"; test -z "$$files" || { echo "run make fmt, gofmt would change:"; echo "$$files"; exit 1; }

fmt: ## change them
	gofmt -w .

lint:
	$(LINT) run

vet: ## here, and for the other systems of a release, which finds what is compiled here
	go vet ./...
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go vet -trimpath ./...
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go vet -trimpath ./...

vuln: ## known holes in what we call; without its database it says so and passes, or fails with VULN_MUST=1
	@text="$$($(VULN) ./... 2>&1)"; status=$$?; echo "$$text"; \
	case "$$status $$text" in \
	0*) ;; \
	*"fetching vulnerabilities"*) echo "NOT CHECKED: govulncheck cannot reach its database here; run make vuln where it can, or set GOVULNDB"; test -z "$(VULN_MUST)" ;; \
	*) exit 1 ;; \
	esac

test: ## few cases of each kind
	go test ./...

whole: ## all cases: every seed, plan and combination, and what takes long
	WHOLE=1 go test -count=1 -timeout 60m ./...

clock: ## all tests at other times, and in other time zones: none knows today's date; AT=leap-day, new-year or today alone
	go run ./fixtures/clock $(if $(AT),-at $(AT))

race: ## no data race in the tests; race-64 has the scenarios, and documents are about no concurrency
	GORACE=atexit_sleep_ms=0 go test $(RACING)

race-rooms: ## no data race in the tests of the rooms whose goroutines share something; make race has those of the others
	GORACE=atexit_sleep_ms=0 go test -race $(SHARING)

race-clock: ## the same at new year in another time zone: what make race and a part of make clock show
	GORACE=atexit_sleep_ms=0 go run ./fixtures/clock -at new-year -- $(RACING)

race-64: ## no data race in any run of any scenario with 64 requests in flight; those that expect an order of requests fail then, and may
	@mkdir -p $(CACHE); GORACE=atexit_sleep_ms=0 SCENARIO_CONCURRENCY=64 go test -race -timeout 30m -v -run '^TestScenarios$$' ./cli >$(CACHE)/race-64.txt 2>&1; \
	if grep -E 'DATA RACE|^panic:|deadlock|build failed' $(CACHE)/race-64.txt; then echo "see $(CACHE)/race-64.txt"; exit 1; fi; \
	echo "no race: $$(grep -c -- '^        --- PASS' $(CACHE)/race-64.txt) scenarios passed, $$(grep -c -- '^        --- FAIL' $(CACHE)/race-64.txt) expect an order"

acceptance: versitygw ## every destination, format and compression at real sizes, over real sockets in real time
	ACCEPTANCE=1 go test -count=1 -timeout 30m -run '^TestEveryDestination' ./fixtures/acceptance

report-check: ## the page of run --report, in headless Chromium
	REPORT_CHECK=1 go test -count=1 -v -timeout 15m -run '^TestThePage(Shows|Of)' ./fixtures/pages

pictures: ## those of docs, by headless Chromium, of real runs
	PICTURES=docs go test -count=1 -timeout 15m -run '^TestPictures$$' ./fixtures/pages

kills: versitygw ## runs that are killed KILLS times and continued, a zombie, lost answers, the next day; as many with --tokens, and as many signals
	KILLS=$(KILLS) go test -count=1 -parallel 2 -timeout 60m -v -run '^(TestARunThatIsKilledContinues|TestAZombieChangesNothing|TestNoKillLocksOut|TestNoSignalLocksOut)' ./cli ./fixtures/acceptance >$(CACHE)/kills.txt 2>&1; \
	status=$$?; grep -E 'kills of|signals of|^(--- |FAIL|ok)|^ +--- FAIL|^panic:' $(CACHE)/kills.txt; test $$status = 0 || { echo "see $(CACHE)/kills.txt"; exit 1; }

tidy: ## say what go mod tidy would change
	go mod tidy -diff

faults: versitygw ## what breaks on the way: by PLANS small plans for each destination in virtual time, by REAL_PLANS of real size in real time, by as many runs under timeout; what needs real time; and every secret
	FAULT_PLANS=$(PLANS) REAL_PLANS=$(REAL_PLANS) go test -count=1 -parallel 8 -timeout 60m -v ./cli ./fixtures/acceptance \
		-run '^(TestWhateverBreaks|TestTimeout|TestAStuckPipe|TestAnS3ThatStops|TestASilentBucket|TestNoSecretIsShown)' >$(CACHE)/faults.txt 2>&1; \
	status=$$?; grep -E 'plans, runs by status|runs that take|^(--- |FAIL|ok)|^ +--- FAIL|^panic:' $(CACHE)/faults.txt; test $$status = 0 || { echo "see $(CACHE)/faults.txt"; exit 1; }

cover: ## statements that any test reaches, over all packages
	go test -coverpkg=./... -coverprofile=cover.out ./...
	@go tool cover -func=cover.out | awk -v bar=$(COVERBAR) '/^total:/ { share = $$NF + 0 } \
		END { printf "covered: %.1f %% (bar: %d %%)\n", share, bar; exit share < bar }'

fuzz: ## each fuzz target for FUZZTIME, also where one before it has failed
	@grep -rEo --include='*_test.go' '^func Fuzz[[:alnum:]_]*' . | sed 's|/[^/]*:func | |' | sort | { failed=0; \
	while read -r folder target; do \
		echo "$$folder $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 100x "$$folder" || failed=1; \
	done; exit $$failed; }

bench: ## against the ideal program and other tools; BENCH='-o docs/speed.md' writes it down
	go run ./fixtures/bench $(BENCH)

benchmarks: ## of packages
	go test -run '^$$' -bench . -benchmem ./...

build: ## one static, stripped binary; what Go would stamp by itself differs before and after a tag
	CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags $(TAGS) $(SMALL) \
		-ldflags '-s -w -X $(MODULE)/cli.version=$(VERSION) -X $(MODULE)/cli.revision=$(REVISION)' -o $(BINARY) .

version: ## the newest version of CHANGELOG.md
	@echo $(RELEASE)

notes: ## what CHANGELOG.md says of it
	@awk -v begin='## [$(RELEASE)]' '/^## / { wanted = index($$0, begin) == 1; next } wanted' CHANGELOG.md

release: export GOTOOLCHAIN := $(RELEASE_GO)
release: export GOFLAGS := -tags=$(TAGS)
release: ## that version for PLATFORMS, packed, with SBOMs, wheels, deb, rpm and SHA256SUMS, into dist; the same commit gives the same bytes
	@test -z "$$(git status --porcelain)" || { echo "commit first: a release is made of a commit"; exit 1; }
	rm -rf dist && mkdir dist
	@set -e; for platform in $(PLATFORMS); do \
		os=$${platform%/*} arch=$${platform#*/} end=; \
		test $$os != windows || end=.exe; \
		GOOS=$$os GOARCH=$$arch GOAMD64=v1 GOARM64=v8.0 \
			$(MAKE) -s build VERSION=$(RELEASE) BINARY=dist/sluice_$(RELEASE)_$${os}_$$arch/sluice$$end; \
	done
	go run ./fixtures/release pack $(RELEASE) $(DATE)
	cd dist && sha256sum sluice_* sluice-* > SHA256SUMS && cat SHA256SUMS

licences: ## print those of what is linked in, with their texts
	@GOFLAGS=-tags=$(TAGS) go run ./fixtures/release licences

packages: ## a formula of Homebrew and a manifest of Scoop for a release that OWNER has on GitHub, into dist
	go run ./fixtures/release packages $(RELEASE) "$(OWNER)"

release-check: ## what make release has made: unpacked, looked at, and run where there is nothing else
	RELEASE_CHECK=$(RELEASE) go test -count=1 -v -run '^TestTheRelease' ./fixtures/release

actions: ## the workflows for GitHub
	$(ACTIONS) .github/workflows/*.yml docs/workflows/github-actions.yaml

image: ## the container image for this machine; IMAGE=registry/name OUT='--push --platform linux/amd64,linux/arm64' for all
	@docker buildx version >/dev/null 2>&1 || { echo "make image needs docker and its plugin buildx (package docker-buildx-plugin or docker-buildx): docker buildx version fails here"; exit 1; }
	docker buildx build --build-arg VERSION=$(RELEASE) --build-arg REVISION=$(REVISION) --tag $(IMAGE):$(RELEASE) $(or $(OUT),--load) .

module: ## give the Go module the path TO, such as example.com/you/sluice
	@test -n "$(TO)" || { echo "make module TO=example.com/you/sluice"; exit 1; }
	go mod edit -module=$(TO)
	git ls-files '*.go' | xargs perl -pi -e 's{^(import |\t)(\w+ )?"$(MODULE)/(.*)"$$}{$$1$$2"$(TO)/$$3"}'
	perl -pi -e 's{(?<=[[ "])$(MODULE)/}{$(TO)/}g' .golangci.yml
	gofmt -w .

versitygw: ## the S3 gateway that tests start, built once into the cache (two to three minutes)
	@go version -m $(CACHE)/bin/versitygw 2>/dev/null | grep -q 'versitygw	$(GATEWAY)	' || \
		GOBIN=$(CACHE)/bin nice go install github.com/versity/versitygw/cmd/versitygw@$(GATEWAY)
