-- The best that may be lent now, or when to ask again. ARGV[6], ARGV[7]: how many requests a second, and how many at once.
local per_second, at_once = tonumber(ARGV[6]), tonumber(ARGV[7])

local function wake()
    repeat
        local woken = redis.call('ZRANGEBYSCORE', resting, '-inf', text(now), 'LIMIT', 0, 50)
        for _, id in ipairs(woken) do
            redis.call('ZREM', resting, id)
            local m = load_member(id)
            if m and (m.under > 0 or m.used >= m.total or now >= m.til) then
                redis.call('SADD', done, id)
            elseif m then
                redis.call('ZADD', ready, 0, place(m.illness, m.last_used, id))
            end
        end
    until #woken < 50
end

local function ceiling_free_at()
    redis.call('ZREMRANGEBYSCORE', recent, '-inf', text(now - 1000000))
    local free = now
    if redis.call('ZCARD', recent) >= per_second then
        local decides = redis.call('ZREVRANGE', recent, per_second - 1, per_second - 1, 'WITHSCORES')
        free = tonumber(decides[2]) + 1000000
    end
    if redis.call('ZCOUNT', recent, '(' .. text(now), '+inf') >= at_once then
        local first = redis.call('ZRANGEBYSCORE', recent, '(' .. text(now), '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
        free = math.max(free, tonumber(first[2]))
    end
    return free
end

local function first_ready()
    while true do
        local top = redis.call('ZRANGE', ready, 0, 0)[1]
        if not top then return nil end
        local id = string.sub(top, 20)
        local m = load_member(id)
        if m and m.under == 0 and now >= m.free and m.used < m.total and now < m.til then return id, m, top end
        redis.call('ZREM', ready, top)
        if m and m.under == 0 and (m.used >= m.total or now >= m.til) then redis.call('SADD', done, id) end
    end
end

local function tell_done()
    local told = {}
    for _, id in ipairs(redis.call('SPOP', done, 500)) do
        local m = load_member(id)
        if m then told[#told + 1] = end_of(id, m) end
    end
    return told
end

wake()
-- While the breaker is open only the ledger knows until when nobody may ask.
local id, m, top
if now >= shut then id, m, top = first_ready() end
local free = ceiling_free_at()
if not id then
    local told = tell_done()
    local next = redis.call('ZRANGE', resting, 0, 0, 'WITHSCORES')[2]
    return {'EMPTY', text(now), next and text(tonumber(next)) or '', text(free), told, run}
end
if free > now then return {'WAIT', text(free), text(now)} end

local line = redis.call('HGET', fixed, id)
redis.call('ZREM', ready, top)
m.used, m.under, m.last_used = m.used + 1, now, now
m.free = now + lease + guard + spacing
save_member(id, m)
-- One that has no more requests is told of, and it is not here that it wakes.
if m.used < m.total then redis.call('ZADD', resting, text(m.free), id) else redis.call('SADD', done, id) end
redis.call('ZADD', recent, text(now + lease), reservation_of(string.match(line, '^[^\n]*'), m.used))
return {'SLOT', id, line, tostring(m.used), text(now)}
