import type { Dataset } from './dataset.js';
import type { LoadRequest } from './load.js';

/** One of some values, by chance. */
export const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;

/** Makes the next request of a load. */
export type Next = () => LoadRequest;

/** Totals are not due then. */
const KEYSET = '&pagination=keyset&order_by=created_at&sort=desc';

/** A request of somebody; the path is made anew for each. */
export const getting =
  (world: Dataset, path: () => string): Next =>
  () => ({ method: 'GET', path: `/api/v4${path()}`, headers: { 'private-token': pick(world.tokens) } });

/** What is asked at both sizes, by what it is called. */
export function questions(world: Dataset): ReadonlyMap<string, Next> {
  const ofProject = (suffix: () => string): Next => getting(world, () => `/projects/${pick(world.projects)}/${suffix()}`);
  const person = (): number => 100 + Math.floor(Math.random() * 200);
  const group = (): number => 1000 + Math.floor(Math.random() * 20);
  return new Map([
    ['events of a project', ofProject(() => `events?per_page=20${KEYSET}`)],
    ['events of a project, action=closed', ofProject(() => `events?per_page=5&action=closed${KEYSET}`)],
    ['events of a project, target_type=issue', ofProject(() => `events?per_page=5&target_type=issue${KEYSET}`)],
    ['events of a user', getting(world, () => `/users/${person()}/events?per_page=20${KEYSET}`)],
    ['own events', getting(world, () => `/events?per_page=20${KEYSET}`)],
    ['events of a project, with total', ofProject(() => 'events?per_page=20')],
    ['events of a user, with total', getting(world, () => `/users/${person()}/events?per_page=20`)],
    ['issues of a project', ofProject(() => 'issues?per_page=20')],
    ['issues, state=opened', ofProject(() => 'issues?per_page=10&state=opened')],
    ['issues, by label', ofProject(() => `issues?per_page=5&labels=label%20${1 + Math.floor(Math.random() * 9)}`)],
    ['issues, by assignee', ofProject(() => `issues?per_page=5&assignee_id=${person()}`)],
    ['issues, by milestone', ofProject(() => `issues?per_page=5&milestone=milestone%20${1 + Math.floor(Math.random() * 4)}`)],
    ['issues, search', ofProject(() => 'issues?per_page=5&search=login')],
    ['issues of a group', getting(world, () => `/groups/${group()}/issues?per_page=20`)],
    ['own issues', getting(world, () => '/issues?per_page=20')],
    ['merge requests of a project', ofProject(() => 'merge_requests?per_page=20')],
    ['merge requests, state=opened', ofProject(() => 'merge_requests?per_page=5&state=opened')],
    ['merge requests of a group', getting(world, () => `/groups/${group()}/merge_requests?per_page=20`)],
    ['issues of an epic', getting(world, () => `/groups/${group()}/epics/1/issues?per_page=20`)],
    ['notification settings of a project', ofProject(() => 'notification_settings')],
    ['issues count of a group', getting(world, () => `/analytics/group_activity/issues_count?group_path=group-${group()}`)],
  ]);
}
