-- Takes everything out that is not under way. ARGV[6]: so long nothing is lent, because the breaker is open, not even what was on its way
-- here; empty: nothing is said of that.
local told = {}
for _, id in ipairs(redis.call('HKEYS', state)) do
    local m = load_member(id)
    -- One that was told already and waits for its answer alone is not told again.
    local waits = m.under > 0 and m.til == 0 and now < m.under + lease
    if not waits then told[#told + 1] = end_of(id, m) end
end
redis.call('DEL', ready)
redis.call('DEL', done)
if ARGV[6] ~= '' then redis.call('HSET', ctl, 'shut', text(now + tonumber(ARGV[6]))) end
return {'TAKEN', text(now), told}
