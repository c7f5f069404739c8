import type { Installation } from './installation.js';

const LOG = `
create schema watched;
create table watched.jobs (id bigint generated always as identity primary key, job_id bigint not null, name text not null, what text not null);
create function watched.note() returns trigger language plpgsql as $$ begin
  if tg_op = 'INSERT' then
    if new.dedupe_key is distinct from 'schedule' then
      insert into watched.jobs (job_id, name, what) values (new.id, new.name, 'asked for');
    end if;
    return null;
  end if;
  insert into watched.jobs (job_id, name, what)
    select old.id, old.name, found.what from (select case
      when tg_op = 'DELETE' then case when old.state = 'running' then 'done' else 'dropped' end
      when new.state = 'running' and old.state <> 'running' then 'begun'
      when new.state = 'running' and new.run_token <> old.run_token then 'taken over'
      when new.state = 'failed' then 'failed'
      when new.state = 'pending' and old.state = 'running' then case when new.attempt < old.attempt then 'given back' else 'tried again' end
    end) found(what)
    where found.what is not null and exists (select from watched.jobs known where known.job_id = old.id);
  return null;
end $$;
create index on watched.jobs (job_id);
create trigger watched after insert or update or delete on background_jobs for each row execute function watched.note();`;

/** Records every job that is enqueued from now on, except scheduled ones. */
export async function watchJobs(installation: Installation): Promise<void> {
  await installation.sql(LOG);
}

/** Number of jobs, and history of those not done exactly once; a job that a stopping worker returns starts again. */
export async function judgeJobs(
  installation: Installation,
): Promise<{ readonly count: number; readonly wrong: readonly string[] }> {
  const lives = await installation.sql<{ name: string; life: string[] }>(
    'select name, array_agg(what order by id) as life from watched.jobs group by job_id, name',
  );
  const isRight = (life: string): boolean => /^asked for(?:, begun, given back)*, begun, done$/.test(life);
  const told = lives.map(({ name, life }) => ({ name, life: life.join(', ') }));
  return {
    count: lives.length,
    wrong: told.filter(({ life }) => !isRight(life)).map(({ name, life }) => `${name}: ${life}`),
  };
}
