import { compositeStatus, type StatusPart } from '#core/ci/processing/steps/composite-status.js';
import { callerOf, person, type Caller } from './access.js';
import { ask, statement, type Database } from './database.js';
import { json, require, textOf, textOrNull, type Answer, type Sent } from './http.js';
import type { GitRepositories } from './repository.js';

const PROTECTION = statement<{ name: string; may: boolean }>(
  'protection',
  `select r.name, coalesce(bool_or(l.kind in ('push', 'merge') and ($3 >= 30 and (l.access_level > 0 and $3 >= l.access_level or l.user_id = $2
     or exists (select 1 from namespaces g join members m on m.source_type = 'Namespace' and m.source_id = any(g.traversal_ids) and m.user_id = $2
       where g.id = l.group_id and not g.pending_delete and m.access_level >= 30 and (m.expires_at is null or m.expires_at > current_date))))), false) as may
   from protected_refs r left join protected_ref_access_levels l on l.protected_ref_id = r.id where r.project_id = $1 and r.ref_type = 'branch' group by r.id`,
);
/** The name must not end with what follows it in other statements: one lock a commit and ref, as the product has it. */
const LOCK = statement('lock status', `select pg_advisory_xact_lock(hashtextextended('ci status ' || $1::text || ' ' || $2::text || ' ' || $3::text, 0))`);
const WHICH = 'project_id = $1 and sha = $2 and ref = $3 and not tag and parent_id is null order by id desc limit 1';
const PIPELINE = statement<{ id: number; status: string }>('pipeline of commit', `select id, status from ci_pipelines where ${WHICH} for update`);
const JOBS = statement<StatusPart & { name: string; kind: string; attempt: number }>(
  'statuses of commit',
  `select j.name, j.kind, j.attempt, j.status, j.allow_failure as "allowFailure" from ci_jobs j
   where j.pipeline_id = (select id from ci_pipelines where ${WHICH}) and not j.retried order by j.stage_index, j.id`,
);
const ADD = statement<{ id: number; created_at: Date; finished_at: Date }>(
  'add status',
  `with superseded as (update ci_jobs set retried = true, updated_at = now() where pipeline_id = $2 and kind = 'status' and name = $3 and not retried)
   insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref, tag, protected, tag_list, target_url, description,
     attempt, finished_at, created_at, updated_at)
   select $1, $2, 'status', $3, 'external', 1000000, 'success', $4, $5, false, $6, '{}', $7, $8, $9, t.at, t.at, t.at
   from (select date_trunc('milliseconds', clock_timestamp()) as at) t returning id, created_at, finished_at`,
);

/** Checks whether a ref is protected, and the caller may report on it nevertheless. @throws 403 */
async function isProtected(database: Database, caller: Caller, ref: string): Promise<boolean> {
  const [rows] = await database.run(ask(PROTECTION, caller.project_id, caller.id, caller.role));
  const found = rows.filter(({ name }) => name === ref || (name.includes('*') && matches(name, ref)));
  require(found.length === 0 || found.some(({ may }) => may), 403, '403 Forbidden');
  return found.length > 0;
}

const matches = (pattern: string, ref: string): boolean =>
  new RegExp(`^${pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`).test(ref);

/** Adds a successful external status to a commit. */
export async function setStatus(database: Database, repositories: GitRepositories, sent: Sent, projectId: number): Promise<Answer> {
  const caller = await callerOf(database, sent, projectId, 30);
  const body = json(sent);
  const ref = textOf(body['ref'], 'ref', 255);
  const name = textOf(body['name'], 'name', 255);
  const url = textOrNull(body['target_url'], 'target_url', 1_000);
  const description = textOrNull(body['description'], 'description', 10_000);
  require(body['state'] === 'success', 501, 'Not part of the reference');
  require(url === null || (/^https?:\/\/\S+$/.test(url) && URL.canParse(url)), 400, 'target_url must be a valid URL');
  const given = String(sent.path.split('/')[6]);
  require(caller.has_repository && /^[0-9a-f]{40}$/.test(given) && /^[\w./-]+$/.test(ref), 404, '404 Commit Not Found');
  const [guarded, sha, branch] = await Promise.all([
    isProtected(database, caller, ref),
    repositories.commit(projectId, given),
    repositories.commit(projectId, `refs/heads/${ref}`),
  ]);
  require(sha !== null, 404, '404 Commit Not Found');
  require(branch !== null, 501, 'Not part of the reference');
  const { made, pipeline } = await database.transaction(async (tx) => {
    const which = [projectId, sha, ref];
    const [, [found], jobs] = await tx.send(ask(LOCK, ...which), ask(PIPELINE, ...which), ask(JOBS, ...which));
    require(found !== undefined, 501, 'Not part of the reference');
    const others = jobs.filter((job) => job.kind !== 'status' || job.name !== name);
    const former = jobs.find((job) => job.kind === 'status' && job.name === name);
    const attempt = former ? former.attempt + 1 : 0;
    const isUnderWay = others.length < jobs.length && jobs.some((job) => job.name === name && ['pending', 'running'].includes(job.status));
    const whole = compositeStatus([...others, { status: 'success', allowFailure: false }]);
    require(!isUnderWay && whole === found.status, 501, 'Not part of the reference');
    const [[row]] = await tx.commit(ask(ADD, projectId, found.id, name, caller.id, ref, guarded, url, description, attempt));
    require(row !== undefined, 500, 'Nothing was written');
    return { made: row, pipeline: found };
  });
  return {
    status: 201,
    body: {
      ...{ id: made.id, sha, ref, status: 'success', name, target_url: url, description, created_at: made.created_at, started_at: null },
      ...{ finished_at: made.finished_at, allow_failure: false, coverage: null, pipeline_id: pipeline.id, author: person(caller, sent.host) },
    },
  };
}
