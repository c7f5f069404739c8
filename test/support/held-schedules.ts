import pg from 'pg';
import { utcUrl } from '#kernel/database/utc-url.js';
import { definedJobs, isScheduled } from '#kernel/queue/job-definition.js';

/** Five fields, of which the first is the minute. */
const RARER_THAN_MINUTES = /^(?!\* )\S+( \S+){4}$/;

/** A tick is not enqueued while its job has one in the future, less than the 15 minutes of a clock that was set back. */
const HOLD_BACK = `insert into background_schedules (job, scheduled_at)
  select unnest($1::text[]), now() + interval '14 minutes'
  on conflict (job) do update set scheduled_at = excluded.scheduled_at`;

/**
 * Holds back, for 14 minutes, the jobs that tick less often than every minute: one that removes old rows would now and then
 * do so in the middle of a test that removes them itself and looks at what was removed.
 */
export async function holdBackSchedules(databaseUrl: string): Promise<void> {
  const rare = definedJobs()
    .filter(isScheduled)
    .filter(({ schedule }) => RARER_THAN_MINUTES.test(schedule.cron));
  const client = new pg.Client({ connectionString: utcUrl(databaseUrl) });
  await client.connect();
  try {
    await client.query(HOLD_BACK, [rare.map(({ name }) => name)]);
  } finally {
    await client.end();
  }
}
