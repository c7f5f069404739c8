import type { TestApi } from './api.js';
import type { ApiClient } from './client.js';
import { until } from './until.js';

/** The attributes of a note that tests of mentions read. */
export interface SystemNote {
  readonly id: number;
  readonly body: string;
  readonly system: boolean;
  readonly author: { readonly id: number };
}

/** Only against hanging: other tests may keep the machine busy. */
const HANGS_MS = 60_000;

/** Waits until all texts and commits written so far have been processed. */
export const allRead = (api: TestApi): Promise<void> =>
  allDone(api, `name like 'cross_references.%' or name = 'merge_requests.close_issues'`);

/** Waits until everyone has been notified of what was written so far. */
export const allTold = (api: TestApi): Promise<void> => allDone(api, `name like 'notifications.%'`);

async function allDone(api: TestApi, which: string): Promise<void> {
  await until(async () => {
    const [row] = await api.sql<{ left: number }>(
      `select count(*)::int as left from background_jobs where state in ('pending', 'handed', 'running') and (${which})`,
    );
    return row?.left === 0;
  }, HANGS_MS);
}

/** Returns the system notes on an object for a reader, the oldest first. */
export async function systemNotes(api: TestApi, client: ApiClient, path: string): Promise<SystemNote[]> {
  await allRead(api);
  const answer = await client.get<SystemNote[]>(`${path}/notes?sort=asc&activity_filter=only_activity`);
  if (answer.status !== 200) throw new Error(`GET ${path}/notes: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Only the system notes that mention other objects. */
export async function mentionsOf(api: TestApi, client: ApiClient, path: string): Promise<string[]> {
  const bodies = (await systemNotes(api, client, path)).map(({ body }) => body);
  return bodies.filter((body) => /^(?:mentioned|closed)/.test(body));
}
