-- announced: the most items that a listing of the run said there are. request_digest: the SHA-256 of request_url; null in rows that
-- are older than this column.
ALTER TABLE crawling_schedule_executions ADD COLUMN announced INTEGER NOT NULL DEFAULT 0;
ALTER TABLE crawler_tasks ADD COLUMN request_digest TEXT;
-- No run asks the same twice, and of one seller one run is open at a time: both are looked up before anything is added.
CREATE INDEX IF NOT EXISTS tasks_by_request ON crawler_tasks (execution_id, request_digest);
CREATE INDEX IF NOT EXISTS executions_of_seller ON crawling_schedule_executions (seller_id, status);
