#include <algorithm>
#include <array>
#include <iostream>

#include "fleet_commands.hpp"
#include "json_views.hpp"
#include "layout.hpp"
#include "look.hpp"

namespace crawler::ctl {
namespace {

namespace json = boost::json;
using Side = Table::Side;
constexpr int most_troubles = 10;

std::string counted(std::int64_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string proof_word(const CrawlingScheduleExecution& run) {
    if (!run.state().proof) return "-";
    const auto& proof = *run.state().proof;
    if (proof.is_whole()) return "whole";
    return std::to_string(proof.state().complete) + " of " + std::to_string(proof.state().announced);
}

// How long it took, or has been taking.
Duration length_of(const CrawlingScheduleExecution& run, TimePoint now) {
    return run.state().completed_at.value_or(now) - run.state().started_at;
}

std::string head_text(const CrawlingScheduleExecution& run, TimePoint now) {
    const auto& s = run.state();
    auto text = "run " + s.id.value + " of " + s.seller.value() + ": " + std::string(to_string(s.status)) + "\n";
    text += "  started   " + to_rfc3339(s.started_at) + "\n";
    text += "  ended     " + (s.completed_at ? to_rfc3339(*s.completed_at) : std::string("-")) + "\n";
    text += "  took      " + length_text(length_of(run, now)) + "\n";
    text += "  tasks     " + counted(s.total_tasks, "task") + ", " + std::to_string(s.completed_tasks) +
            " completed, " + std::to_string(s.failed_tasks) + " failed: " + per_cent_text(run.progress_rate()) +
            " done, " + per_cent_text(run.success_rate()) + " of that well\n";
    if (!s.failure_reason.empty()) text += "  given up  " + s.failure_reason + "\n";
    return text;
}

std::string tasks_text(const std::vector<ports::TaskCount>& tasks) {
    std::vector<Table::Column> columns{{"task"}};
    for (const auto& status : names(TaskStatus{})) columns.push_back({std::string(status.name), Side::right});
    Table table(std::move(columns));
    for (const auto& type : names(TaskType{})) {
        std::vector<std::string> row{std::string(type.name)};
        bool is_there = false;
        for (const auto& status : names(TaskStatus{})) {
            const auto found = std::ranges::find_if(
                tasks, [&](const auto& count) { return count.type == type.value && count.status == status.value; });
            is_there = is_there || found != tasks.end();
            row.push_back(found == tasks.end() ? "0" : std::to_string(found->tasks));
        }
        if (is_there) table.add(std::move(row));
    }
    return table.text("  ");
}

std::string items_because(const CompletenessProof& proof, MissingReason reason, int most) {
    std::string text;
    int named = 0;
    for (const auto& missing : proof.state().missing) {
        if (missing.reason != reason) continue;
        if (++named > most) return text + " ...";
        text += " " + std::to_string(missing.item);
    }
    return text;
}

std::string missing_text(const CompletenessProof& proof, MissingReason reason, int most) {
    const auto count = proof.missing_because(reason);
    if (count == 0) return {};
    auto text = "  missing    " + std::to_string(count) + " " + std::string(to_string(reason));
    if (is_explained(reason)) text += " (explained)";
    const auto items = items_because(proof, reason, most);
    return text + (items.empty() ? "" : ":" + items) + "\n";
}

std::string why_not_whole(const CompletenessProof& proof) {
    std::string why;
    for (const auto& reason : names(MissingReason{})) {
        const auto count = proof.missing_because(reason.value);
        if (count == 0 || is_explained(reason.value)) continue;
        why += (why.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(reason.name);
    }
    return why;
}

std::string proof_text(const CrawlingScheduleExecution& run, int most) {
    if (!run.state().proof)
        return run.state().completed_at ? "  not proven yet: answers wait to be worked in, or nobody has looked since\n"
                                        : "  not proven yet: the run is not over\n";
    const auto& proof = *run.state().proof;
    const auto& facts = proof.state();
    std::string text = "  announced  " + std::to_string(facts.announced) + "\n";
    text += "  seen       " + std::to_string(facts.seen) + "\n";
    text += "  complete   " + std::to_string(facts.complete) + "\n";
    for (const auto& reason : names(MissingReason{})) text += missing_text(proof, reason.value, most);
    if (proof.surplus() > 0) text += "  beyond     " + std::to_string(proof.surplus()) + " more seen than announced\n";
    return text + (proof.is_whole() ? "  whole      yes\n" : "  whole      no: " + why_not_whole(proof) + "\n");
}

std::string troubles_text(const std::vector<ports::TaskTrouble>& troubles) {
    Table table({{"tasks", Side::right}, {"type"}, {"state"}, {"class"}, {"what went wrong"}});
    for (const auto& trouble : troubles)
        table.add({std::to_string(trouble.tasks), std::string(to_string(trouble.type)),
                   std::string(to_string(trouble.status)),
                   trouble.error_class ? std::string(to_string(*trouble.error_class)) : "-", trouble.message});
    return table.text("  ");
}

json::object json_of(const ports::RunView& view) {
    auto object = json_of_run(view.run);
    json::array tasks, troubles, missing;
    for (const auto& count : view.tasks)
        tasks.push_back(
            json::object{{"type", to_string(count.type)}, {"status", to_string(count.status)}, {"tasks", count.tasks}});
    for (const auto& trouble : view.troubles)
        troubles.push_back(json::object{{"type", to_string(trouble.type)},
                                        {"status", to_string(trouble.status)},
                                        {"tasks", trouble.tasks},
                                        {"message", trouble.message}});
    if (view.run.state().proof) {
        for (const auto& item : view.run.state().proof->state().missing)
            missing.push_back(json::object{{"itemNo", item.item}, {"reason", to_string(item.reason)}});
    }
    object["tasks"] = tasks;
    object["troubles"] = troubles;
    object["missingItems"] = missing;
    return object;
}

SellerId parsed(const std::string& text) {
    auto seller = SellerId::parse(text);
    if (!seller) throw std::runtime_error(seller.error().detail);
    return *std::move(seller);
}

}  // namespace

int list_runs(const std::string& url, const RunListChoice& choice, Format format) {
    Look look(url);
    ports::RunFilter filter{.limit = choice.limit};
    if (!choice.seller.empty()) filter.seller = parsed(choice.seller);
    const auto runs = look.at(look.overview->runs(filter));
    const auto now = look.clock->now();

    json::array list;
    Table table({{"run"},
                 {"seller"},
                 {"state"},
                 {"began"},
                 {"took", Side::right},
                 {"tasks", Side::right},
                 {"failed", Side::right},
                 {"done", Side::right},
                 {"proof"}});
    for (const auto& run : runs) {
        const auto& s = run.state();
        list.push_back(json_of_run(run));
        table.add({s.id.value, s.seller.value(), std::string(to_string(s.status)),
                   to_rfc3339(s.started_at).substr(0, 19), length_text(length_of(run, now)),
                   std::to_string(s.total_tasks), std::to_string(s.failed_tasks), per_cent_text(run.progress_rate()),
                   proof_word(run)});
    }
    if (format == Format::json) {
        std::cout << list << "\n";
    } else {
        std::cout << (runs.empty() ? "no run\n" : table.text());
    }
    return 0;
}

int show_run(const std::string& url, const std::string& id, int most, Format format) {
    Look look(url);
    const auto view = coro::block_on(look.io, look.overview->run(ExecutionId{id}, most_troubles));
    if (!view && view.error().code == Errc::not_found) {
        std::cerr << "crawlerctl: " << view.error().detail << "\n";
        return 1;
    }
    if (!view) throw std::runtime_error(view.error().detail);
    if (format == Format::json) {
        std::cout << json_of(*view) << "\n";
        return 0;
    }
    std::cout << head_text(view->run, look.clock->now());
    if (!view->tasks.empty()) std::cout << "\n" << tasks_text(view->tasks);
    std::cout << "\ncompleteness\n" << proof_text(view->run, most);
    if (!view->troubles.empty()) std::cout << "\ntroubles\n" << troubles_text(view->troubles);
    return 0;
}

}  // namespace crawler::ctl
