-- number: of two entries of one subject the one with the lesser goes first. Those that are older than this column have 0, and go by id.
ALTER TABLE crawl_task_outbox ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scheduler_outbox ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE product_outbox ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
