import type pg from 'pg';

/** Scheduled jobs belong to the product, not to a test file. */
const KEPT_JOBS = `dedupe_key is not distinct from 'schedule'`;

/** The ordinary tables of the product that have pages, and so may have rows. */
const FILLED = `select c.oid, c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_relation_size(c.oid) > 0`;

/** Stores the rows of a new installation in a separate schema. */
export async function keepFirstRows(client: pg.Client): Promise<void> {
  await client.query(`
    create schema first_rows;
    do $$ declare filled record; begin
      for filled in ${FILLED} and c.relname <> 'background_jobs' loop
        execute format('create table first_rows.%1$I as table public.%1$I', filled.name);
      end loop;
    end $$`);
}

/** Removes waiting and failed jobs, and returns the number of running ones. */
export async function dropWaitingJobs(client: pg.Client): Promise<number> {
  await client.query(`delete from background_jobs where state in ('pending', 'failed') and not ${KEPT_JOBS}`);
  const { rows } = await client.query<{ left: number }>(
    `select count(*)::int as left from background_jobs where state in ('handed', 'running') and not ${KEPT_JOBS}`,
  );
  return rows[0]?.left ?? 0;
}

/**
 * Resets the database to a new installation. Ids continue, so that values cached by a process for an id never
 * apply to another row.
 */
export async function restoreFirstRows(client: pg.Client): Promise<void> {
  await client.query(`
    do $$ declare filled record; columns text; seen bigint; begin
      select version into seen from application_settings;
      -- Neither triggers nor references look at this.
      set local session_replication_role = replica;
      for filled in ${FILLED} loop
        execute format('delete from public.%I%s', filled.name,
          case filled.name when 'background_jobs' then $q$ where not (${KEPT_JOBS})$q$ else '' end);
      end loop;
      for filled in select relname as name from pg_class where relnamespace = 'first_rows'::regnamespace and relkind = 'r' loop
        select string_agg(quote_ident(attname), ', ') into columns from pg_attribute
          where attrelid = format('public.%I', filled.name)::regclass and attnum > 0 and not attisdropped and attgenerated = '';
        execute format('insert into public.%1$I (%2$s) overriding system value select %2$s from first_rows.%1$I', filled.name, columns);
      end loop;
      -- Whoever has read the former settings reads these.
      update application_settings set version = seen + 1;
    end $$`);
}
