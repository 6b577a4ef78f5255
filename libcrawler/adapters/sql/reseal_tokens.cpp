#include "adapters/sql/database.hpp"
#include "adapters/sql/token_seal.hpp"

namespace crawler::adapters {
namespace {

using namespace sql;

constexpr int batch = 100;

struct Pass {
    Resealed counted;
    std::string last;  // the id at which the next pass goes on; empty: that was all
};

// A token that was issued meanwhile is sealed with the current key already, and is left alone.
Result<Pass> reseal_in(Session& session, const TokenSeal& seal, const std::string& after) {
    Pass pass;
    int rows = 0;
    for (auto& row :
         session.select({"id", "token"}, "FROM user_agents WHERE id > ? AND token IS NOT NULL ORDER BY id LIMIT ?",
                        {after, batch})) {
        ++rows;
        pass.last = row.text();
        const auto sealed = row.text();
        if (seal.is_current(sealed)) {
            ++pass.counted.current;
            continue;
        }
        const auto token = seal.open(sealed, pass.last);
        if (!token) {
            ++pass.counted.unreadable;
            continue;
        }
        const auto done = session.execute("UPDATE user_agents SET token = ? WHERE id = ? AND token = ?",
                                          {seal.seal(*token, pass.last), pass.last, sealed});
        ++(done == 1 ? pass.counted.resealed : pass.counted.current);
    }
    if (rows < batch) pass.last.clear();
    return pass;
}

}  // namespace

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): a database outlives what it is asked
Async<Result<Resealed>> reseal_tokens(SqlDatabase& database, TokenKeys keys) {
    const TokenSeal seal(std::move(keys));
    Resealed all;
    std::string after;
    do {
        auto body = [&seal, after](Session& session) { return reseal_in(session, seal, after); };
        const auto pass = co_await database.transact(std::move(body));
        if (!pass) co_return pass.error();
        all.resealed += pass->counted.resealed;
        all.current += pass->counted.current;
        all.unreadable += pass->counted.unreadable;
        after = pass->last;
    } while (!after.empty());
    co_return all;
}

}  // namespace crawler::adapters
