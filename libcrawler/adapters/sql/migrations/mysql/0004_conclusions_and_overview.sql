-- conclude_at: from when on somebody should look whether its completeness can be proven; null while the run is open, and once it is
-- proven.
ALTER TABLE crawling_schedule_executions ADD COLUMN conclude_at BIGINT;
UPDATE crawling_schedule_executions SET conclude_at = completed_at WHERE status IN ('COMPLETED', 'FAILED') AND proof IS NULL;
ALTER TABLE crawling_schedule_executions ADD KEY executions_to_conclude (conclude_at, id);

-- What operators look at: the newest runs of all sellers, whatever their state or in one, and how many products of a seller are in which state.
ALTER TABLE crawling_schedule_executions ADD KEY executions_by_start (started_at, id);
ALTER TABLE crawling_schedule_executions ADD KEY executions_by_status_and_start (status, started_at, id);
ALTER TABLE products ADD KEY products_by_seller_and_status (seller_id, status);
