// The commands of crawlerctl. Each prints to standard output and returns the exit code.
#pragma once
#include <string>
#include <vector>

namespace crawler::ctl {

enum class Format { table, json, mermaid };

// Everything the fleet can tell: each event, its level, its fields and the metrics it moves.
int show_events(Format format);

// Every state machine of the domain: as a table, as JSON, or as the diagrams that ARCHITECTURE.md shows.
int show_states(Format format);

// What the daemons at these addresses say of themselves; 1 if one of them is not ready.
int show_health(const std::vector<std::string>& urls, Format format);

}  // namespace crawler::ctl
