-- Times are microseconds since 1970 in UTC. The same tables and columns as for MySQL, where the comments say more about them.

CREATE TABLE IF NOT EXISTS sellers (
    seller_id            TEXT NOT NULL,
    name                 TEXT NOT NULL,
    interval_days        INTEGER NOT NULL,
    status               TEXT NOT NULL,
    total_product_count  INTEGER NOT NULL,
    external_code        TEXT,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL,
    revision             INTEGER NOT NULL,
    PRIMARY KEY (seller_id)
);
CREATE INDEX IF NOT EXISTS sellers_by_status ON sellers (status, seller_id);

CREATE TABLE IF NOT EXISTS crawling_schedules (
    id              TEXT NOT NULL,
    seller_id       TEXT NOT NULL,
    interval_days   INTEGER NOT NULL,
    status          TEXT NOT NULL,
    failure_reason  TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    revision        INTEGER NOT NULL,
    PRIMARY KEY (id)
);
CREATE UNIQUE INDEX IF NOT EXISTS schedules_by_seller ON crawling_schedules (seller_id);

CREATE TABLE IF NOT EXISTS crawling_schedule_executions (
    id               TEXT NOT NULL,
    seller_id        TEXT NOT NULL,
    status           TEXT NOT NULL,
    total_tasks      INTEGER NOT NULL,
    completed_tasks  INTEGER NOT NULL,
    failed_tasks     INTEGER NOT NULL,
    failure_reason   TEXT NOT NULL,
    proof            TEXT,
    started_at       INTEGER NOT NULL,
    completed_at     INTEGER,
    updated_at       INTEGER NOT NULL,
    revision         INTEGER NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS executions_by_seller ON crawling_schedule_executions (seller_id, started_at);
CREATE INDEX IF NOT EXISTS executions_by_status ON crawling_schedule_executions (status, updated_at);

-- watch_at: from when on somebody should look after it (the end of its lease, or its last step); null once it has ended.
CREATE TABLE IF NOT EXISTS crawler_tasks (
    id             TEXT NOT NULL,
    execution_id   TEXT NOT NULL,
    seller_id      TEXT NOT NULL,
    type           TEXT NOT NULL,
    request_url    TEXT NOT NULL,
    status         TEXT NOT NULL,
    attempt        INTEGER NOT NULL,
    retry_count    INTEGER NOT NULL,
    rescue_count   INTEGER NOT NULL,
    publications   INTEGER NOT NULL,
    lease_until    INTEGER,
    completed_as   TEXT,
    error_class    TEXT,
    error_message  TEXT NOT NULL,
    created_at     INTEGER NOT NULL,
    published_at   INTEGER,
    started_at     INTEGER,
    completed_at   INTEGER,
    updated_at     INTEGER NOT NULL,
    revision       INTEGER NOT NULL,
    watch_at       INTEGER,
    PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS tasks_by_execution ON crawler_tasks (execution_id, status);
CREATE INDEX IF NOT EXISTS tasks_by_seller ON crawler_tasks (seller_id, created_at);
CREATE INDEX IF NOT EXISTS tasks_to_watch ON crawler_tasks (status, watch_at);
CREATE INDEX IF NOT EXISTS tasks_by_end ON crawler_tasks (completed_at);

-- The three outboxes are alike. While an entry is unsent, waiting_lane is its lane and ready_at says from when on it may be
-- claimed: when it is due, or at the end of its lease. Both are null once it is SENT or DEAD, so that a claim never meets what is
-- done with. done_at is set once it is SENT.
CREATE TABLE IF NOT EXISTS crawl_task_outbox (
    id               TEXT NOT NULL,
    subject          TEXT NOT NULL,
    message_group    TEXT NOT NULL,
    lane             TEXT NOT NULL,
    payload          TEXT NOT NULL,
    idempotency_key  TEXT NOT NULL,
    status           TEXT NOT NULL,
    attempt          INTEGER NOT NULL,
    retry_count      INTEGER NOT NULL,
    due_at           INTEGER NOT NULL,
    lease_until      INTEGER,
    error_message    TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    waiting_lane     TEXT,
    ready_at         INTEGER,
    done_at          INTEGER,
    PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS task_outbox_line ON crawl_task_outbox (waiting_lane, ready_at, id);
CREATE INDEX IF NOT EXISTS task_outbox_by_subject ON crawl_task_outbox (subject, id);
CREATE INDEX IF NOT EXISTS task_outbox_done ON crawl_task_outbox (done_at);

CREATE TABLE IF NOT EXISTS scheduler_outbox (
    id               TEXT NOT NULL,
    subject          TEXT NOT NULL,
    message_group    TEXT NOT NULL,
    lane             TEXT NOT NULL,
    payload          TEXT NOT NULL,
    idempotency_key  TEXT NOT NULL,
    status           TEXT NOT NULL,
    attempt          INTEGER NOT NULL,
    retry_count      INTEGER NOT NULL,
    due_at           INTEGER NOT NULL,
    lease_until      INTEGER,
    error_message    TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    waiting_lane     TEXT,
    ready_at         INTEGER,
    done_at          INTEGER,
    PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS scheduler_outbox_line ON scheduler_outbox (waiting_lane, ready_at, id);
CREATE INDEX IF NOT EXISTS scheduler_outbox_by_subject ON scheduler_outbox (subject, id);
CREATE INDEX IF NOT EXISTS scheduler_outbox_done ON scheduler_outbox (done_at);

CREATE TABLE IF NOT EXISTS product_outbox (
    id               TEXT NOT NULL,
    subject          TEXT NOT NULL,
    message_group    TEXT NOT NULL,
    lane             TEXT NOT NULL,
    payload          TEXT NOT NULL,
    idempotency_key  TEXT NOT NULL,
    status           TEXT NOT NULL,
    attempt          INTEGER NOT NULL,
    retry_count      INTEGER NOT NULL,
    due_at           INTEGER NOT NULL,
    lease_until      INTEGER,
    error_message    TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    waiting_lane     TEXT,
    ready_at         INTEGER,
    done_at          INTEGER,
    PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS product_outbox_line ON product_outbox (waiting_lane, ready_at, id);
CREATE INDEX IF NOT EXISTS product_outbox_by_subject ON product_outbox (subject, id);
CREATE INDEX IF NOT EXISTS product_outbox_done ON product_outbox (done_at);

-- body is what was answered, deflated and in base64. waiting_lane and ready_at as in the outboxes; done_at: when it was PROCESSED.
CREATE TABLE IF NOT EXISTS crawled_raw (
    id            TEXT NOT NULL,
    task_id       TEXT NOT NULL,
    seller_id     TEXT NOT NULL,
    item_no       INTEGER,
    type          TEXT NOT NULL,
    fetched_at    INTEGER NOT NULL,
    http_status   INTEGER NOT NULL,
    body          TEXT NOT NULL,
    content_hash  TEXT NOT NULL,
    status        TEXT NOT NULL,
    attempt       INTEGER NOT NULL,
    retry_count   INTEGER NOT NULL,
    lost_count    INTEGER NOT NULL,
    due_at        INTEGER,
    lease_until   INTEGER,
    reason        TEXT NOT NULL,
    waiting_lane  TEXT,
    ready_at      INTEGER,
    done_at       INTEGER,
    PRIMARY KEY (id)
);
CREATE INDEX IF NOT EXISTS raw_line ON crawled_raw (waiting_lane, ready_at, id);
CREATE INDEX IF NOT EXISTS raw_by_task ON crawled_raw (task_id);
CREATE INDEX IF NOT EXISTS raw_by_item ON crawled_raw (item_no, type, fetched_at);
CREATE INDEX IF NOT EXISTS raw_by_status ON crawled_raw (status, fetched_at);
CREATE INDEX IF NOT EXISTS raw_done ON crawled_raw (done_at);

CREATE TABLE IF NOT EXISTS user_agents (
    id                 TEXT NOT NULL,
    user_agent_string  TEXT NOT NULL,
    token              TEXT,
    status             TEXT NOT NULL,
    health             INTEGER NOT NULL,
    last_used_at       INTEGER,
    suspended_at       INTEGER,
    suspended_until    INTEGER,
    throttled          INTEGER NOT NULL,
    token_failures     INTEGER NOT NULL,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    revision           INTEGER NOT NULL,
    PRIMARY KEY (id)
);
CREATE UNIQUE INDEX IF NOT EXISTS user_agents_by_string ON user_agents (user_agent_string);

-- status is what follows from the evidence in the other columns, written down for whoever looks for it.
CREATE TABLE IF NOT EXISTS products (
    item_no            INTEGER NOT NULL,
    seller_id          TEXT NOT NULL,
    named_own          INTEGER,
    named_at           INTEGER,
    missing_at         INTEGER,
    missing_before_at  INTEGER,
    gone_at            INTEGER,
    version            INTEGER NOT NULL,
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    revision           INTEGER NOT NULL,
    status             TEXT NOT NULL,
    PRIMARY KEY (item_no)
);
CREATE INDEX IF NOT EXISTS products_by_seller ON products (seller_id, item_no);
CREATE INDEX IF NOT EXISTS products_by_status ON products (status, updated_at);

-- The latest answer per product and facet.
CREATE TABLE IF NOT EXISTS product_raw_data (
    item_no     INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    digest      TEXT NOT NULL,
    version     INTEGER NOT NULL,
    fetched_at  INTEGER NOT NULL,
    canonical   TEXT NOT NULL,
    is_partial  INTEGER NOT NULL,
    raw_id      TEXT NOT NULL,
    PRIMARY KEY (item_no, kind)
);
CREATE INDEX IF NOT EXISTS product_raw_data_by_raw ON product_raw_data (raw_id);

CREATE TABLE IF NOT EXISTS product_history (
    item_no     INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    raw_id      TEXT NOT NULL,
    changed_at  INTEGER NOT NULL,
    diff        TEXT NOT NULL,
    event       TEXT,
    PRIMARY KEY (item_no, version)
);
CREATE INDEX IF NOT EXISTS product_history_by_time ON product_history (changed_at);

CREATE TABLE IF NOT EXISTS request_ledger (
    reservation  TEXT NOT NULL,
    identity_id  TEXT NOT NULL,
    reserved_at  INTEGER NOT NULL,
    lease_end    INTEGER NOT NULL,
    answered_at  INTEGER,
    outcome      TEXT,
    PRIMARY KEY (reservation)
);
CREATE INDEX IF NOT EXISTS ledger_by_identity ON request_ledger (identity_id, reserved_at);
CREATE INDEX IF NOT EXISTS ledger_by_time ON request_ledger (reserved_at);

CREATE TABLE IF NOT EXISTS leases (
    name      TEXT NOT NULL,
    holder    TEXT NOT NULL,
    fence     INTEGER NOT NULL,
    until_at  INTEGER NOT NULL,
    PRIMARY KEY (name)
);
