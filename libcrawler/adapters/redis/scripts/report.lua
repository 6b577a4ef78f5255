-- What became of a request. A success that nobody else has to hear of is all done here; anything else is the ledger's to judge, and the
-- member goes with it. ARGV: identity, block, number, 1 for a success, endpoint, health gained, how long a failure is remembered.
local id, block, number, good, endpoint, gain, span = unpack(ARGV, 6, 12)
local m = load_member(id)
local line = redis.call('HGET', fixed, id) or ''
local is_it = m and string.match(line, '^[^\n]*') == block and m.used == tonumber(number) and m.under > 0 and now < m.under + lease
if not is_it then return {'OVER', text(now)} end
if good ~= 'UNANSWERED' then redis.call('ZADD', recent, 'XX', text(now), reservation_of(block, m.used)) end

local remembered = endpoint ~= '' and redis.call('HGET', failing, endpoint)
if remembered then redis.call('HDEL', failing, endpoint) end
if good ~= '1' then
    if endpoint ~= '' then redis.call('HSET', failing, endpoint, text(now + tonumber(span))) end
elseif not remembered or tonumber(remembered) <= now then
    m.made = m.made .. (m.made == '' and '' or ',') .. text(m.under) .. ':' .. text(now)
    m.under, m.free, m.illness = 0, now + spacing, math.max(0, m.illness - tonumber(gain))
    save_member(id, m)
    if m.used >= m.total or now >= m.til then
        redis.call('ZREM', resting, id)
        redis.call('SADD', done, id)
    else
        redis.call('ZADD', resting, text(m.free), id)
    end
    return {'DONE', text(now)}
end
redis.call('SREM', done, id)
local told = end_of(id, m)
redis.call('HDEL', state, id)
redis.call('HDEL', fixed, id)
return {'JUDGE', text(now), told}
