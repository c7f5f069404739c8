import { callerOf, person } from './access.js';
import { ask, statement, type Database } from './database.js';
import { json, Refusal, require, textOf, type Answer, type Sent } from './http.js';
import { correlation } from './outbox.js';

interface Environment {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly external_url: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const ENVIRONMENT = statement<Environment>(
  'environment',
  'select id, name, slug, external_url, created_at, updated_at from environments where project_id = $1 and name = $2 for update',
);
const LAST = statement<{ id: number; ref: string; sha: string; tag: boolean }>(
  'last success',
  `select id, ref, sha, tag from deployments where environment_id = (select id from environments where project_id = $1 and name = $2) and status = 'success'
   order by finished_at desc, iid desc limit 1`,
);
const PROTECTED = statement(
  'protected',
  `select 1 from (select 1 from protected_environments where project_id = $1 and name = $2
     union all select 1 from projects p join namespaces n on n.id = p.namespace_id join environments e on e.project_id = p.id and e.name = $2
       join protected_environments above on above.group_id = any(n.traversal_ids) and above.name in (e.tier, e.name) where p.id = $1) found
   where (select license_plan <> 'free' from application_settings where id = 1) limit 1`,
);
const INSERT = statement<{ id: number; iid: number; created_at: Date; updated_at: Date }>(
  'deploy',
  `with number as (insert into internal_ids (project_id, usage, last_value, live_count) values ($1, 'deployments', 1, 1)
     on conflict (project_id, usage) do update set last_value = internal_ids.last_value + 1, live_count = internal_ids.live_count + 1 returning last_value),
   made as (insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status, finished_at, created_at, updated_at)
     select $1, $2, last_value, $3, $4, $5, $6, 'success', t.at, t.at, t.at from number, (select clock_timestamp() as at) t
     returning id, iid, created_at, updated_at),
   queued as (insert into background_jobs (queue, name, payload, correlation_id, run_at)
     select 'repositories', 'deployments.link_merge_requests', jsonb_build_object('deploymentId', id), $7, clock_timestamp() from made
     where exists (select 1 from merge_requests where project_id = $1))
   select * from made`,
);

/** Creates a deployment that has succeeded. */
export async function deploy(database: Database, sent: Sent, projectId: number): Promise<Answer> {
  const caller = await callerOf(database, sent, projectId, 30);
  const body = json(sent);
  const name = textOf(body['environment'], 'environment', 255);
  const sha = textOf(body['sha'], 'sha', 40);
  const ref = textOf(body['ref'], 'ref', 255);
  const { tag } = body;
  require(typeof tag === 'boolean' && /^[0-9a-f]{40}$/.test(sha), 400, 'tag or sha is invalid');
  require(/^[\w\-/ ${}.]+$/.test(name), 400, 'environment is invalid');
  // Only the cases of the benches are implemented: no other states, commits of a repository, or protected
  // environments.
  if (body['status'] !== 'success' || caller.has_repository) throw new Refusal(501, 'Not part of the reference');
  const made = await database.transaction(async (tx) => {
    const at = [projectId, name];
    const [[environment], [last], [guarded]] = await tx.send(ask(ENVIRONMENT, ...at), ask(LAST, ...at), ask(PROTECTED, ...at));
    require(environment !== undefined && guarded === undefined, 501, 'Not part of the reference');
    require(last?.sha !== sha || last.ref !== ref || last.tag !== tag, 501, 'Not part of the reference');
    const [[row]] = await tx.commit(ask(INSERT, projectId, environment.id, caller.id, ref, sha, tag, correlation()));
    require(row !== undefined, 500, 'Nothing was written');
    return { ...row, environment };
  });
  database.announce();
  const { environment, ...row } = made;
  return {
    status: 201,
    body: {
      ...{ id: row.id, iid: row.iid, ref, sha, created_at: row.created_at, updated_at: row.updated_at, status: 'success', user: person(caller, sent.host) },
      ...{ deployable: null, environment, pending_approval_count: 0, approvals: [], approval_summary: { rules: [] } },
    },
  };
}
