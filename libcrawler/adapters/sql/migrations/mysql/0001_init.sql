-- Times are microseconds since 1970 in UTC. Ids are ours, ASCII; what people wrote is utf8mb4. Text that keys are made of is
-- compared to the letter (_bin).

CREATE TABLE IF NOT EXISTS sellers (
    seller_id            VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    name                 VARCHAR(200) NOT NULL,
    interval_days        INT NOT NULL,
    status               VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    total_product_count  BIGINT NOT NULL,
    external_code        VARCHAR(100),
    created_at           BIGINT NOT NULL,
    updated_at           BIGINT NOT NULL,
    revision             BIGINT NOT NULL,
    PRIMARY KEY (seller_id),
    KEY sellers_by_status (status, seller_id)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS crawling_schedules (
    id              VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    seller_id       VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    interval_days   INT NOT NULL,
    status          VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    failure_reason  MEDIUMTEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    revision        BIGINT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY schedules_by_seller (seller_id)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS crawling_schedule_executions (
    id               VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    seller_id        VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    status           VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    total_tasks      BIGINT NOT NULL,
    completed_tasks  BIGINT NOT NULL,
    failed_tasks     BIGINT NOT NULL,
    failure_reason   MEDIUMTEXT NOT NULL,
    proof            MEDIUMTEXT,
    started_at       BIGINT NOT NULL,
    completed_at     BIGINT,
    updated_at       BIGINT NOT NULL,
    revision         BIGINT NOT NULL,
    PRIMARY KEY (id),
    KEY executions_by_seller (seller_id, started_at),
    KEY executions_by_status (status, updated_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

-- watch_at: from when on somebody should look after it (the end of its lease, or its last step); null once it has ended.
CREATE TABLE IF NOT EXISTS crawler_tasks (
    id             VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    execution_id   VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    seller_id      VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    type           VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    request_url    TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    status         VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt        INT NOT NULL,
    retry_count    INT NOT NULL,
    rescue_count   INT NOT NULL,
    publications   INT NOT NULL,
    lease_until    BIGINT,
    completed_as   VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin,
    error_class    VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin,
    error_message  MEDIUMTEXT NOT NULL,
    created_at     BIGINT NOT NULL,
    published_at   BIGINT,
    started_at     BIGINT,
    completed_at   BIGINT,
    updated_at     BIGINT NOT NULL,
    revision       BIGINT NOT NULL,
    watch_at       BIGINT,
    PRIMARY KEY (id),
    KEY tasks_by_execution (execution_id, status),
    KEY tasks_by_seller (seller_id, created_at),
    KEY tasks_to_watch (status, watch_at),
    KEY tasks_by_end (completed_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

-- The three outboxes are alike. While an entry is unsent, waiting_lane is its lane and ready_at says from when on it may be
-- claimed: when it is due, or at the end of its lease. Both are null once it is SENT or DEAD, so that a claim never meets what is
-- done with. done_at is set once it is SENT.
CREATE TABLE IF NOT EXISTS crawl_task_outbox (
    id               VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    subject          VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    message_group    VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    lane             VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    payload          MEDIUMTEXT NOT NULL,
    idempotency_key  VARCHAR(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    status           VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt          INT NOT NULL,
    retry_count      INT NOT NULL,
    due_at           BIGINT NOT NULL,
    lease_until      BIGINT,
    error_message    MEDIUMTEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    waiting_lane     VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    ready_at         BIGINT,
    done_at          BIGINT,
    PRIMARY KEY (id),
    KEY task_outbox_line (waiting_lane, ready_at, id),
    KEY task_outbox_by_subject (subject, id),
    KEY task_outbox_done (done_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS scheduler_outbox (
    id               VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    subject          VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    message_group    VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    lane             VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    payload          MEDIUMTEXT NOT NULL,
    idempotency_key  VARCHAR(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    status           VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt          INT NOT NULL,
    retry_count      INT NOT NULL,
    due_at           BIGINT NOT NULL,
    lease_until      BIGINT,
    error_message    MEDIUMTEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    waiting_lane     VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    ready_at         BIGINT,
    done_at          BIGINT,
    PRIMARY KEY (id),
    KEY scheduler_outbox_line (waiting_lane, ready_at, id),
    KEY scheduler_outbox_by_subject (subject, id),
    KEY scheduler_outbox_done (done_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS product_outbox (
    id               VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    subject          VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    message_group    VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    lane             VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    payload          MEDIUMTEXT NOT NULL,
    idempotency_key  VARCHAR(120) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    status           VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt          INT NOT NULL,
    retry_count      INT NOT NULL,
    due_at           BIGINT NOT NULL,
    lease_until      BIGINT,
    error_message    MEDIUMTEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    waiting_lane     VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    ready_at         BIGINT,
    done_at          BIGINT,
    PRIMARY KEY (id),
    KEY product_outbox_line (waiting_lane, ready_at, id),
    KEY product_outbox_by_subject (subject, id),
    KEY product_outbox_done (done_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

-- body is what was answered, deflated and in base64. waiting_lane and ready_at as in the outboxes. done_at: since when it is PROCESSED and
-- no product's latest answer, so that retention meets nothing that has to stay.
CREATE TABLE IF NOT EXISTS crawled_raw (
    id            VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    task_id       VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    seller_id     VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    item_no       BIGINT,
    type          VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    fetched_at    BIGINT NOT NULL,
    http_status   INT NOT NULL,
    body          MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    content_hash  CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    status        VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempt       INT NOT NULL,
    retry_count   INT NOT NULL,
    lost_count    INT NOT NULL,
    due_at        BIGINT,
    lease_until   BIGINT,
    reason        MEDIUMTEXT NOT NULL,
    waiting_lane  VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    ready_at      BIGINT,
    done_at       BIGINT,
    PRIMARY KEY (id),
    KEY raw_line (waiting_lane, ready_at, id),
    KEY raw_by_task (task_id),
    KEY raw_by_item (item_no, type, fetched_at),
    KEY raw_by_status (status, fetched_at),
    KEY raw_done (done_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS user_agents (
    id                 VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    user_agent_string  VARCHAR(700) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    token              TEXT CHARACTER SET ascii COLLATE ascii_bin,
    status             VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    health             INT NOT NULL,
    last_used_at       BIGINT,
    suspended_at       BIGINT,
    suspended_until    BIGINT,
    throttled          INT NOT NULL,
    token_failures     INT NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    revision           BIGINT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY user_agents_by_string (user_agent_string)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

-- status is what follows from the evidence in the other columns, written down for whoever looks for it.
CREATE TABLE IF NOT EXISTS products (
    item_no            BIGINT NOT NULL,
    seller_id          VARCHAR(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    named_own          INT,
    named_at           BIGINT,
    missing_at         BIGINT,
    missing_before_at  BIGINT,
    gone_at            BIGINT,
    version            BIGINT NOT NULL,
    created_at         BIGINT NOT NULL,
    updated_at         BIGINT NOT NULL,
    revision           BIGINT NOT NULL,
    status             VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (item_no),
    KEY products_by_seller (seller_id, item_no),
    KEY products_by_status (status, updated_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

-- The latest answer per product and facet.
CREATE TABLE IF NOT EXISTS product_raw_data (
    item_no     BIGINT NOT NULL,
    kind        VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    digest      CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    version     BIGINT NOT NULL,
    fetched_at  BIGINT NOT NULL,
    canonical   MEDIUMTEXT NOT NULL,
    is_partial  INT NOT NULL,
    raw_id      VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (item_no, kind),
    KEY product_raw_data_by_raw (raw_id)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS product_history (
    item_no     BIGINT NOT NULL,
    version     BIGINT NOT NULL,
    raw_id      VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    changed_at  BIGINT NOT NULL,
    diff        MEDIUMTEXT NOT NULL,
    event       VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin,
    PRIMARY KEY (item_no, version),
    KEY product_history_by_time (changed_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS request_ledger (
    reservation  VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    identity_id  VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    reserved_at  BIGINT NOT NULL,
    lease_end    BIGINT NOT NULL,
    answered_at  BIGINT,
    outcome      VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin,
    PRIMARY KEY (reservation),
    KEY ledger_by_identity (identity_id, reserved_at),
    KEY ledger_by_time (reserved_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS leases (
    name      VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    holder    VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    fence     BIGINT NOT NULL,
    until_at  BIGINT NOT NULL,
    PRIMARY KEY (name)
) ENGINE = InnoDB CHARACTER SET utf8mb4;
