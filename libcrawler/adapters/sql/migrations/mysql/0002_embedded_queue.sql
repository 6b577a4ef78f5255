-- The embedded queues and the embedded scheduler.

-- seq is the order in which messages were sent, and never used again: a receipt is a seq and a count. visible_at: from when on it may be
-- received; what is in flight or was put off has a time to come. It is null for what waits behind the head of its group, so that the line
-- holds nothing that may not be received. head_of is the group of a head: there is one of each, which keeps a group from having two.
CREATE TABLE IF NOT EXISTS queue_messages (
    seq            BIGINT NOT NULL AUTO_INCREMENT,
    queue          VARCHAR(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    body           MEDIUMTEXT NOT NULL,
    message_group  VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    head_of        VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    sent_at        BIGINT NOT NULL,
    visible_at     BIGINT,
    receive_count  INT NOT NULL,
    is_held        INT NOT NULL,
    PRIMARY KEY (seq),
    KEY queue_line (queue, visible_at, seq),
    UNIQUE KEY queue_heads (queue, head_of),
    KEY queue_by_group (queue, message_group, seq)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS queue_dead_letters (
    seq            BIGINT NOT NULL,
    queue          VARCHAR(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    body           MEDIUMTEXT NOT NULL,
    message_group  VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
    sent_at        BIGINT NOT NULL,
    receive_count  INT NOT NULL,
    died_at        BIGINT NOT NULL,
    PRIMARY KEY (seq),
    KEY dead_letters_by_queue (queue, seq)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS queue_deduplication (
    queue             VARCHAR(80) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    deduplication_id  VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    until_at          BIGINT NOT NULL,
    PRIMARY KEY (queue, deduplication_id),
    KEY queue_deduplication_by_end (queue, until_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4;

CREATE TABLE IF NOT EXISTS schedule_rules (
    name          VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    expression    VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    input         MEDIUMTEXT NOT NULL,
    enabled       INT NOT NULL,
    next_fire_at  BIGINT NOT NULL,
    PRIMARY KEY (name),
    KEY schedule_rules_due (enabled, next_fire_at, name)
) ENGINE = InnoDB CHARACTER SET utf8mb4;
