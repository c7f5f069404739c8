import type { ProjectSubject } from '#kernel/access/caller.js';
import { EVENT_COLUMNS, timeColumns, type EventsShape } from './events.sql.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** Parts of a project with events. */
const PARTS = ['repository', 'issues', 'merge_requests', 'wiki', 'snippets'];

/** Returns whether Reporters see everything in a project: no part of it is disabled. */
export const hasAllParts = ({ settings }: ProjectSubject): boolean =>
  PARTS.every((part) => settings[`${part}_access_level`] !== 'disabled');

/** As in `ListQuery.of`. */
const OF_PROJECT = 'e.project_id = any(array[$1::bigint])';

interface PlainShape extends Pick<EventsShape, 'order' | 'direction' | 'range' | 'take'> {
  /** So many rows are skipped that only their keys should be read. */
  readonly isDeep?: boolean;
}

/** SQL for a page of all events of the project $1, in the order of an index; `total` may add a column. */
export function plainPageSql({ order, direction, range, take, isDeep }: PlainShape, total = ''): string {
  const by = order === 'id' ? `e.id ${direction}` : `e.created_at ${direction}, e.id ${direction}`;
  const listed = `from events e where ${OF_PROJECT} ${range} order by e.project_id ${direction}, ${by} ${take}`;
  const page = isDeep
    ? `select e.* from (select e.id ${listed}) k join events e on e.id = any(array[k.id])`
    : `select e.* ${listed}`;
  return `select ${EVENT_COLUMNS}, ${timeColumns('e.created_at')}, ${userColumns('u', 'author_')}${total}
    from (${page}) e
      join users u on u.id = any(array[e.author_id]) order by ${by}`;
}

/** SQL for the number of these events. */
export const plainCountSql = (range: string, most: string): string =>
  `select count(*) as total from (select 1 from events e where ${OF_PROJECT} ${range}
  order by e.project_id limit ${most}) counted`;
