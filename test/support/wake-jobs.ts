/** Statements by which tests change jobs directly: workers would notice them only after half a minute. */
export const CHANGES_JOBS = /\b(insert into|update) background_jobs\b/i;
