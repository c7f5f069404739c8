import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';

/** Facts about an issue for the tests. */
export interface BuiltIssue {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly description: string | null;
  readonly state: 'opened' | 'closed';
  readonly labels: string[];
  readonly assignees: { readonly id: number; readonly username: string }[];
  readonly confidential: boolean;
  readonly due_date: string | null;
  readonly milestone: { readonly id: number; readonly title: string } | null;
  readonly weight: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
}

let built = 0;

/** Creates an issue over HTTP. */
export async function buildIssue(
  client: ApiClient,
  projectId: number,
  values: Readonly<Record<string, unknown>> = {},
): Promise<BuiltIssue> {
  built += 1;
  const given = { title: `Issue ${built}`, ...values };
  const answer = await client.post<BuiltIssue>(`/projects/${projectId}/issues`, given);
  if (answer.status !== 201) throw new Error(`Issue not created: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Inserts `count` issues of a project directly, a minute apart, and returns their ids. */
export async function insertIssues(
  api: TestApi,
  projectId: number,
  count: number,
  authorId = 1,
): Promise<number[]> {
  await api.sql(
    `insert into internal_ids (project_id, usage, last_value, live_count) values ($1, 'issues', $2, $2)
     on conflict (project_id, usage) do update set last_value = internal_ids.last_value + $2, live_count = internal_ids.live_count + $2`,
    [projectId, count],
  );
  const rows = await api.sql<{ id: number }>(
    `insert into issues (project_id, iid, author_id, title, created_at, updated_at)
     select $1, c.last_value - $2 + number, $3, 'Issue ' || number, at, at
     from internal_ids c, generate_series(1, $2::int) number, lateral (select now() - (($2 - number) || ' minutes')::interval as at) times
     where c.project_id = $1 and c.usage = 'issues' returning id`,
    [projectId, count, authorId],
  );
  return rows.map(({ id }) => id);
}
