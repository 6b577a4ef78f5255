-- conclude_at: from when on somebody should look whether its completeness can be proven; null while the run is open, and once it is
-- proven.
ALTER TABLE crawling_schedule_executions ADD COLUMN conclude_at INTEGER;
UPDATE crawling_schedule_executions SET conclude_at = completed_at WHERE status IN ('COMPLETED', 'FAILED') AND proof IS NULL;
CREATE INDEX IF NOT EXISTS executions_to_conclude ON crawling_schedule_executions (conclude_at, id);

-- What operators look at: the newest runs of all sellers, whatever their state or in one, and how many products of a seller are in which state.
CREATE INDEX IF NOT EXISTS executions_by_start ON crawling_schedule_executions (started_at, id);
CREATE INDEX IF NOT EXISTS executions_by_status_and_start ON crawling_schedule_executions (status, started_at, id);
CREATE INDEX IF NOT EXISTS products_by_seller_and_status ON products (seller_id, status);
