-- A token's age, and when the last try for one failed.
ALTER TABLE user_agents ADD COLUMN token_issued_at INTEGER;
ALTER TABLE user_agents ADD COLUMN token_failed_at INTEGER;

-- Where an identity stands in the pool's lines. These are hints, so that nobody is looked for: the ledger alone decides. ready_lane: 0,
-- it may be lent; 1, likewise, but it has no token; null, it may not. wakes_at: when it may have rested enough. session_at: when it
-- needs a session. illness: 100 - health, so that an index ascends through all of its columns.
ALTER TABLE user_agents ADD COLUMN ready_lane INTEGER;
ALTER TABLE user_agents ADD COLUMN illness INTEGER NOT NULL DEFAULT 0;
ALTER TABLE user_agents ADD COLUMN wakes_at INTEGER;
ALTER TABLE user_agents ADD COLUMN session_at INTEGER;
-- The request that is under way with it.
ALTER TABLE user_agents ADD COLUMN reservation TEXT;
ALTER TABLE user_agents ADD COLUMN lent_until INTEGER;
ALTER TABLE user_agents ADD COLUMN lent_for_session INTEGER NOT NULL DEFAULT 0;
ALTER TABLE user_agents ADD COLUMN probe INTEGER;
UPDATE user_agents SET illness = 100 - health;
UPDATE user_agents SET wakes_at = COALESCE(suspended_until, updated_at), session_at = COALESCE(suspended_until, updated_at) WHERE status <> 'BLOCKED';
CREATE INDEX IF NOT EXISTS user_agents_ready ON user_agents (ready_lane, illness, last_used_at, id);
CREATE INDEX IF NOT EXISTS user_agents_ready_for_session ON user_agents (ready_lane, session_at, id);
CREATE INDEX IF NOT EXISTS user_agents_resting ON user_agents (wakes_at, id);
CREATE INDEX IF NOT EXISTS user_agents_needing_session ON user_agents (session_at, wakes_at);
CREATE INDEX IF NOT EXISTS user_agents_lent ON user_agents (lent_until, lent_for_session);
CREATE INDEX IF NOT EXISTS user_agents_by_status ON user_agents (status);

-- The last moment at which the server can have seen the request: its answer or, while there is none, the end of the lease and the guard
-- band. By it the pool finds the row that is a whole hour's budget back.
ALTER TABLE request_ledger ADD COLUMN latest_at INTEGER NOT NULL DEFAULT 0;
UPDATE request_ledger SET latest_at = COALESCE(answered_at, lease_end + 10000000);
CREATE INDEX IF NOT EXISTS ledger_by_latest ON request_ledger (latest_at, identity_id);

-- One row: whoever reserves or reports holds it, so that all reservations stand in one line. seen_at: the latest time that anybody saw.
-- available, total: how many identities; null, they must be counted. host_room: at least so many more may be reserved of an hour's
-- host_room_of before those of the last hour must be counted again.
CREATE TABLE IF NOT EXISTS identity_pool (
    name                TEXT NOT NULL,
    seen_at             INTEGER NOT NULL,
    available           INTEGER,
    total               INTEGER,
    host_room           INTEGER,
    host_room_of        INTEGER,
    breaker             TEXT NOT NULL,
    breaker_open_until  INTEGER,
    probe               INTEGER NOT NULL,
    probe_until         INTEGER,
    revision            INTEGER NOT NULL,
    PRIMARY KEY (name)
);

-- Failures of the last minute, by endpoint: where several identities fail at once, it is not their fault.
CREATE TABLE IF NOT EXISTS identity_failures (
    endpoint       TEXT NOT NULL,
    number         INTEGER NOT NULL,
    identity_id    TEXT NOT NULL,
    health         INTEGER NOT NULL,
    token_failure  INTEGER NOT NULL,
    failed_at      INTEGER NOT NULL,
    PRIMARY KEY (endpoint, number)
);
