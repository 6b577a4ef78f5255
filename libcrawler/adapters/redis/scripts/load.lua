-- Takes in blocks that were lent to this view. ARGV[8]: in which life they were asked for, and when, on this clock; ARGV[10]: how long
-- after that their requests may begin; ARGV[11]: how many, of five words each; then the requests of others, by how much longer they count.
local asked, hold, count = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local at = 12
for _ = 1, count do
    local id, line, total, illness, ago = unpack(ARGV, at, at + 4)
    at = at + 5
    if ARGV[8] == run and now < asked + hold then
        local before = load_member(id)
        if before then redis.call('ZREM', ready, place(before.illness, before.last_used, id)) end
        redis.call('ZREM', resting, id)
        redis.call('SREM', done, id)
        local m = {used = 0, total = tonumber(total), told = 0, asked = text(asked), til = asked + hold, illness = tonumber(illness),
                   last_used = ago == '' and 0 or math.max(0, asked - tonumber(ago)), under = 0, free = 0, made = ''}
        save_member(id, m)
        redis.call('HSET', fixed, id, line)
        redis.call('ZADD', ready, 0, place(m.illness, m.last_used, id))
    end
end
while ARGV[at] do
    redis.call('ZADD', recent, 'NX', text(now + tonumber(ARGV[at + 1])), ARGV[at])
    at = at + 2
end
