import type { MergePlan } from '#kernel/database/lists/merged-list-query.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { IssuableKind } from '../issuable-kind.js';

/** Links of a person to an issuable. */
export type PersonLink = 'author' | 'assignee' | 'reviewer';

/** Where links are stored with the project of the issuable, in order of creation. */
interface LinkStorage {
  readonly table: string;
  readonly alias: string;
  readonly user: string;
  readonly join: string;
  readonly order: string;
  readonly id: string;
}

/** Returns where the links of a kind are stored. @throws if the kind has no such link */
function linkStorageOf({ table, alias, assignees }: IssuableKind, link: PersonLink): LinkStorage {
  if (link === 'author') {
    const own = { user: `${alias}.author_id`, order: `${alias}.created_at`, id: `${alias}.id` };
    return { table, alias, join: '', ...own };
  }
  if (!assignees) throw new Error(`${table} have no assignees`);
  const { key } = assignees;
  const isReviewer = link === 'reviewer';
  return {
    table: isReviewer ? 'merge_request_reviewers' : assignees.table,
    alias: 'dl',
    user: 'dl.user_id',
    join: `join ${table} ${alias} on ${alias}.id = any(array[dl.${key}])`,
    order: isReviewer ? 'dl.thing_created_at' : 'dl.created_at',
    id: `dl.${key}`,
  };
}

/** The person of a list, and the projects shown. */
export interface PersonQuestion {
  readonly link: PersonLink;
  readonly userId: number;
  /** SQL condition on the project `p`, without values. */
  readonly shown: string;
  /** Tables that it uses. */
  readonly table?: SqlPiece | undefined;
  readonly total?: string | undefined;
}

/** Plans the list about a person in the projects shown, in the order of an index. */
export function planOfPerson(kind: IssuableKind, question: PersonQuestion): MergePlan {
  const { link, userId, shown, table: used, total } = question;
  const { table, alias, user, join, order, id } = linkStorageOf(kind, link);
  // A subquery with an offset is not pulled up, so a project is read once, at the first of its issuables.
  const project = `cross join lateral (select 1 from projects p where p.id = ${alias}.project_id and ${shown} offset 0) p`;
  return {
    sources: 'select ?::bigint as user_id',
    values: [userId],
    from: `${table} ${alias} ${project} ${join}`,
    owner: [user, 's.user_id'],
    order,
    id,
    total,
    ...(used && { table: { text: used.sql, values: used.values } }),
  };
}

/** Does the same within single projects: the sources `s` have `project_id` and `user_id`. */
export function planInProjects(
  kind: IssuableKind,
  link: PersonLink,
): Pick<MergePlan, 'from' | 'owner' | 'where' | 'order' | 'id'> {
  const { table, alias, user, join, order, id } = linkStorageOf(kind, link);
  return {
    from: `${table} ${alias} ${join}`,
    owner: [user, 's.user_id'],
    where: `${alias}.project_id = s.project_id`,
    order,
    id,
  };
}
