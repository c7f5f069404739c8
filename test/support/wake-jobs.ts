/** Statements of tests that make jobs due behind the product's back: nobody would look at them for half a minute. */
export const CHANGES_JOBS = /\b(insert into|update) background_jobs\b/i;
