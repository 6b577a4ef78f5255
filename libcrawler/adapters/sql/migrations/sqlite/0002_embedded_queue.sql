-- The embedded queues and the embedded scheduler. As for MySQL, where the comments say more.

CREATE TABLE IF NOT EXISTS queue_messages (
    seq            INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    queue          TEXT NOT NULL,
    body           TEXT NOT NULL,
    message_group  TEXT,
    head_of        TEXT,
    sent_at        INTEGER NOT NULL,
    visible_at     INTEGER,
    receive_count  INTEGER NOT NULL,
    is_held        INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS queue_line ON queue_messages (queue, visible_at, seq);
CREATE UNIQUE INDEX IF NOT EXISTS queue_heads ON queue_messages (queue, head_of) WHERE head_of IS NOT NULL;
CREATE INDEX IF NOT EXISTS queue_by_group ON queue_messages (queue, message_group, seq) WHERE message_group IS NOT NULL;

CREATE TABLE IF NOT EXISTS queue_dead_letters (
    seq            INTEGER NOT NULL,
    queue          TEXT NOT NULL,
    body           TEXT NOT NULL,
    message_group  TEXT,
    sent_at        INTEGER NOT NULL,
    receive_count  INTEGER NOT NULL,
    died_at        INTEGER NOT NULL,
    PRIMARY KEY (seq)
);
CREATE INDEX IF NOT EXISTS dead_letters_by_queue ON queue_dead_letters (queue, seq);

CREATE TABLE IF NOT EXISTS queue_deduplication (
    queue             TEXT NOT NULL,
    deduplication_id  TEXT NOT NULL,
    until_at          INTEGER NOT NULL,
    PRIMARY KEY (queue, deduplication_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS queue_deduplication_by_end ON queue_deduplication (queue, until_at);

CREATE TABLE IF NOT EXISTS schedule_rules (
    name          TEXT NOT NULL,
    expression    TEXT NOT NULL,
    input         TEXT NOT NULL,
    enabled       INTEGER NOT NULL,
    next_fire_at  INTEGER NOT NULL,
    PRIMARY KEY (name)
);
CREATE INDEX IF NOT EXISTS schedule_rules_due ON schedule_rules (enabled, next_fire_at, name);
