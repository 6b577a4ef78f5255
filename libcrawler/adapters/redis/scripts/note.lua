-- A request that was had past this view was answered.
redis.call('ZADD', recent, 'XX', text(now), ARGV[6])
return {'DONE', text(now)}
