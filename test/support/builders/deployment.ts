import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';

/** Facts about a deployment for the tests. */
export interface BuiltDeployment {
  readonly id: number;
  readonly iid: number;
  readonly sha: string;
  readonly ref: string;
  readonly status: string;
  readonly updated_at: string;
  readonly environment: { readonly id: number; readonly name: string };
}

/** A commit SHA that the tests can distinguish. */
export const shaOf = (number: number): string => number.toString(16).padStart(40, '0');

let built = 0;

/** Creates a deployment of a new commit to `production`. */
export async function buildDeployment(
  client: ApiClient,
  projectId: number,
  values: Readonly<Record<string, unknown>> = {},
): Promise<BuiltDeployment> {
  built += 1;
  const answer = await client.post<BuiltDeployment>(`/projects/${projectId}/deployments`, {
    environment: 'production',
    sha: shaOf(built),
    ref: 'main',
    tag: false,
    status: 'success',
    ...values,
  });
  if (answer.status !== 201) throw new Error(`Deployment not created: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Adds many deployments to one environment by SQL, a second apart, with every status in turn. */
export async function fillDeployments(
  api: TestApi,
  projectId: number,
  environmentId: number,
  count: number,
): Promise<void> {
  await api.sql(
    `insert into internal_ids (project_id, usage, last_value, live_count) values ($1, 'deployments', $2, $2)
     on conflict (project_id, usage) do update set last_value = internal_ids.last_value + $2, live_count = internal_ids.live_count + $2`,
    [projectId, count],
  );
  await api.sql(
    `insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status, finished_at, created_at, updated_at)
     select $1, $2, c.last_value - $3 + n, 1, 'main', lpad(to_hex(n), 40, '0'), false, s.status,
       case when s.status in ('success', 'failed', 'canceled') then at end, at, at
     from internal_ids c, generate_series(1, $3::int) n
       cross join lateral (select (array['created', 'running', 'success', 'failed', 'canceled', 'blocked'])[n % 6 + 1] as status,
         timestamptz '2026-01-01 00:00:00Z' + n * interval '1 s' as at) s
     where c.project_id = $1 and c.usage = 'deployments'`,
    [projectId, environmentId, count],
  );
}
