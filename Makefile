# The few commands of this project; `make help` lists them. JOBS=n limits how many things run at once.
JOBS ?= $(shell nproc)
# How long each reader is fuzzed.
SECONDS ?= 60

STAGE := scripts/stage
SOURCES = git ls-files '*.cpp' '*.hpp'
SCRIPTS = git grep -lE '^\#!.*(bash|/sh)' -- ':!*.md'

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help deps emulators build test demo demo-full coverage fuzz storm proof lint format bench clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  JOBS=n limits how many things run at once (now $(JOBS))"

deps: ## install the packages that are missing (Debian 12, 13, Ubuntu 24.04)
	@scripts/install-deps

emulators: deps ## fetch the emulators of AWS that tests and demo use; without them their tests are left out, but not with CI=true
	@$(STAGE) "fetch the emulators" scripts/install-emulators || [ "$$CI" != true ]

build: deps ## build everything, as shipped, in build/release
	@$(STAGE) "configure release" cmake --preset release --log-level=NOTICE
	@$(STAGE) "build release" cmake --build --preset release -j $(JOBS)

test: build emulators ## build, run all tests, then unit and contract tests under asan and tsan, then coverage
	@$(STAGE) "test release" ctest --preset release -j $(JOBS)
	@for sanitizer in asan tsan; do \
	    $(STAGE) "configure $$sanitizer" cmake --preset $$sanitizer --log-level=NOTICE && \
	    $(STAGE) "build $$sanitizer" cmake --build --preset $$sanitizer -j $(JOBS) && \
	    $(STAGE) "test $$sanitizer" ctest --preset $$sanitizer -j $(JOBS) || exit 1; \
	done
	@$(MAKE) --no-print-directory coverage

demo: deps ## run the whole line against a simulated marketplace, with a verdict
	@$(STAGE) "configure release" cmake --preset release --log-level=NOTICE
	@$(STAGE) "build the programs" cmake --build --preset release -j $(JOBS) --target trigger outbox-relay worker product-sync crawlerctl marketsim
	@scripts/demo

demo-full: deps emulators ## the same on MariaDB, SQS and EventBridge (emulators), with replicas of each daemon; runs begin when a rule fires
	@$(STAGE) "configure release" cmake --preset release --log-level=NOTICE
	@$(STAGE) "build the programs" cmake --build --preset release -j $(JOBS) --target trigger outbox-relay worker product-sync crawlerctl marketsim
	@scripts/demo --full

bench: build emulators ## measure, side by side, and judge: one line for each goal
	@bench/run-all

coverage: deps ## which lines and branches of the domain its tests reach; fails below 98 % and 90 %
	@$(STAGE) "configure coverage" cmake --preset coverage --log-level=NOTICE
	@$(STAGE) "build coverage" cmake --build --preset coverage -j $(JOBS)
	@$(STAGE) "coverage of the domain" scripts/coverage

fuzz: deps ## what strangers write to us, against libFuzzer, for SECONDS each (60)
	@$(STAGE) "configure fuzz" cmake --preset fuzz --log-level=NOTICE
	@$(STAGE) "build the fuzz targets" cmake --build --preset fuzz -j $(JOBS)
	@$(STAGE) "fuzz" scripts/fuzz build/fuzz/bin $(SECONDS)

storm: build ## processes share out an outbox of 200,000 entries, and move 100,000 messages through the embedded queue
	@scripts/test-database start "$$(cat build/release/test-database)"
	@build/release/bin/sql_tests '[full-storm]' --durations yes; code=$$?; \
	    scripts/test-database stop "$$(cat build/release/test-database)"; exit $$code

proof: build ## 10,000,000 simulated requests and four real processes: the identity pool never lets one too many through
	@scripts/proof

lint: deps ## check formatting, clang-tidy and the shell scripts
	@$(STAGE) "clang-format" sh -c "$(SOURCES) | xargs clang-format-19 --dry-run --Werror --ferror-limit=1"
	@$(STAGE) "shell scripts" sh -c "$(SCRIPTS) | xargs -n 1 bash -n"
	@$(STAGE) "configure release" cmake --preset release --log-level=NOTICE
	@$(STAGE) "clang-tidy" scripts/tidy -j $(JOBS)

format: deps ## format every source in place
	@$(SOURCES) | xargs clang-format-19 -i

clean: ## remove everything that was built
	rm -rf build
