-- What every script begins with. A member is an identity with a block of requests:
--   state   "<used> <total> <told> <asked> <until> <illness> <last used> <under way since, or 0> <free at> <made>", where made is
--           "<reserved>:<answered>,..." of those since it was last told
--   fixed   what only the caller reads: the block, when it began on the other clock, the user agent and its sealed token, by lines
-- ready holds those that may be lent, in the order in which they are; resting the others, by when they may be. recent holds what
-- the ceilings count: until when a request is under way, or when it was answered. done: members whose end is to be told.
local ctl, ready, resting, state, fixed, recent, done, failing = unpack(KEYS)
local run, now, lease, guard, spacing = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000000 + time[2]
end

local function text(number) return string.format('%.0f', number) end

-- Written in another life of the server, or on another server: what it says may be older than what happened.
local known = redis.call('HMGET', ctl, 'run', 'seen', 'shut')
if known[1] ~= run then
    redis.call('DEL', unpack(KEYS))
    redis.call('HSET', ctl, 'run', run, 'seen', text(now))
    known = {run, now, false}
end
if now < tonumber(known[2]) then return {'BACK', known[2], text(now)} end
local shut = tonumber(known[3] or 0)
if now > tonumber(known[2]) then redis.call('HSET', ctl, 'seen', text(now)) end

local function place(illness, last_used, id) return string.format('%03d%016.0f', illness, last_used) .. id end

local function load_member(id)
    local line = redis.call('HGET', state, id)
    if not line then return nil end
    local used, total, told, asked, til, illness, last_used, under, free, made =
        string.match(line, '^(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (.*)$')
    return {used = tonumber(used), total = tonumber(total), told = tonumber(told), asked = asked, til = tonumber(til),
            illness = tonumber(illness), last_used = tonumber(last_used), under = tonumber(under), free = tonumber(free), made = made}
end

local function save_member(id, m)
    redis.call('HSET', state, id, string.format('%d %d %d %s %.0f %d %.0f %.0f %.0f %s', m.used, m.total, m.told, m.asked, m.til,
        m.illness, m.last_used, m.under, m.free, m.made))
end

local function reservation_of(block, number) return block .. string.format('#%05d', number) end

-- What there is to tell of a member, which then is none any more, unless a request is under way: it stays for that one alone.
local function end_of(id, m)
    local line = redis.call('HGET', fixed, id) or ''
    local told = {id, line, tostring(m.told), m.made, text(m.under), m.asked}
    redis.call('ZREM', resting, id)
    if m.under > 0 and now < m.under + lease then
        m.total, m.told, m.made, m.til = m.used, m.used - 1, '', 0
        save_member(id, m)
    else
        redis.call('HDEL', state, id)
        redis.call('HDEL', fixed, id)
    end
    return told
end
