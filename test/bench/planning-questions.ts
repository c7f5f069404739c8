import type { Dataset } from './dataset.js';
import type { LoadRequest } from './load.js';
import { assigneeOf } from './planning-data.js';

/** A random one of some values. */
export const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;

/** Makes the next request of a load. */
export type Next = () => LoadRequest;

/** Totals are not due then. */
const KEYSET = '&pagination=keyset&order_by=created_at&sort=desc';

/** A request of a user; the path is created anew for each. */
export const getting =
  (world: Dataset, path: () => string): Next =>
  () => ({ method: 'GET', path: `/api/v4${path()}`, headers: { 'private-token': pick(world.tokens) } });

const below = (count: number): number => Math.floor(Math.random() * count);

/**
 * The requests at both sizes, by name. With 10,000 rows each response is already a full page with more behind
 * it, so that the same is compared: a page shorter than the list, and its total if the list has one.
 */
export function questions(world: Dataset): ReadonlyMap<string, Next> {
  const ofProject = (suffix: (project: number) => string): Next =>
    getting(world, () => {
      const project = pick(world.projects);
      return `/projects/${project}/${suffix(project)}`;
    });
  const person = (): number => 100 + below(200);
  const group = (): number => 1000 + below(20);
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
    ['issues, by label', ofProject(() => `issues?per_page=3&labels=label%20${2 + below(8)}`)],
    ['issues, by assignee', ofProject((project) => `issues?per_page=4&assignee_id=${assigneeOf(project, below(5))}`)],
    ['issues, by milestone', ofProject(() => `issues?per_page=5&milestone=milestone%20${1 + below(4)}`)],
    ['issues, search', ofProject(() => 'issues?per_page=5&search=login&pagination=keyset&order_by=id&sort=desc')],
    ['issues, search, with total', ofProject(() => 'issues?per_page=5&search=login')],
    ['issues of a group', getting(world, () => `/groups/${group()}/issues?per_page=20`)],
    ['own issues', getting(world, () => '/issues?per_page=20')],
    ['issues assigned to oneself', getting(world, () => '/issues?per_page=20&scope=assigned_to_me')],
    ['merge requests of a project', ofProject(() => 'merge_requests?per_page=20')],
    ['merge requests, state=opened', ofProject(() => 'merge_requests?per_page=5&state=opened')],
    ['merge requests, by label', ofProject(() => `merge_requests?per_page=3&labels=label%20${2 + below(8)}`)],
    ['merge requests, by assignee', ofProject((project) => `merge_requests?per_page=4&assignee_id=${assigneeOf(project, below(5))}`)],
    ['own merge requests', getting(world, () => '/merge_requests?per_page=20')],
    ['merge requests assigned to oneself', getting(world, () => '/merge_requests?per_page=20&scope=assigned_to_me')],
    ['merge requests of a group', getting(world, () => `/groups/${group()}/merge_requests?per_page=20`)],
    ['issues of an epic', getting(world, () => `/groups/${group()}/epics/1/issues?per_page=20`)],
    ['notification settings of a project', ofProject(() => 'notification_settings')],
    ['issues count of a group', getting(world, () => `/analytics/group_activity/issues_count?group_path=group-${group()}`)],
  ]);
}

/**
 * Lists whose totals cost as much as their number of rows, since no index has them: their pages are also
 * requested without totals.
 */
export const COUNTED: ReadonlySet<string> = new Set(['events of a project, with total', 'events of a user, with total', 'issues, search, with total']);
