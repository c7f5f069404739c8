import type { Tx } from '#kernel/database/transactions.js';
import { isLongerThan } from '#kernel/http/fields/text-length.js';
import { badRequest, type HttpError } from '#kernel/http/errors.js';
import type { PlanningContainer } from '#core/labels/reach/planning-container.js';
import type { Milestone } from './milestone.entity.js';

/** Limit of characters of a description. */
export const MAX_DESCRIPTION = 1_048_576;

const MAX_TITLE = 255;

/** Arbitrary number of an advisory lock; the second key is derived from the tree and the title. */
const TITLE_LOCK = 746_274_011;

type Problems = Readonly<Record<string, readonly string[]>>;

/** Error 400 in the format that v4 clients know: attributes and texts as Ruby prints them. */
export const failed = (verb: 'create' | 'update', problems: Problems): HttpError => {
  const pairs = Object.entries(problems).map(([name, texts]) => `:${name}=>${JSON.stringify(texts)}`);
  return badRequest(`Failed to ${verb} milestone {${pairs.join(', ')}}`);
};

/** Error for a title that another milestone has. */
export const TITLE_TAKEN: Problems = {
  title: ['already being used for another group or project milestone.'],
};

/** Returns the problems of a milestone's own attributes, or null. */
export function milestoneProblems({
  title,
  startDate,
  dueDate,
}: Pick<Milestone, 'title' | 'startDate' | 'dueDate'>): Problems | null {
  const problems: Record<string, string[]> = {};
  if (title === '') problems['title'] = ["can't be blank"];
  if (isLongerThan(title, MAX_TITLE))
    problems['title'] = [`is too long (maximum is ${MAX_TITLE} characters)`];
  if (startDate !== null && dueDate !== null && dueDate < startDate)
    problems['due_date'] = ['must be greater than start date'];
  return Object.keys(problems).length > 0 ? problems : null;
}

const TREE = {
  project:
    'select n.traversal_ids from projects p join namespaces n on n.id = p.namespace_id where p.id = $1',
  group: 'select n.traversal_ids from namespaces n where n.id = $1',
} as const;

const BELOW = 'd.traversal_ids @> array[$2::bigint]';

const TAKEN = {
  project:
    'select 1 from milestones ms where ms.title = $3 and (ms.project_id = $2 or ms.group_id = any($1::bigint[])) limit 1',
  group: `select 1 from milestones ms where ms.title = $3 and (ms.group_id = any($1::bigint[])
      or ms.group_id in (select d.id from namespaces d where ${BELOW})
      or ms.project_id in (select p.id from projects p join namespaces d on d.id = p.namespace_id where ${BELOW})) limit 1`,
} as const;

const LOCK = `select pg_advisory_xact_lock($1, key) from (select distinct hashtext(title) as key from unnest($2::text[]) title order by key) keys`;

/** Serializes uses of a title for milestones in a tree of groups until `tx` ends. */
export const lockTitle = (tx: Tx, container: PlanningContainer, title: string): Promise<readonly number[]> =>
  lockTitles(tx, container, [title]);

/** Does the same for many titles, in a consistent order. */
export async function lockTitles(
  tx: Tx,
  container: PlanningContainer,
  titles: readonly string[],
): Promise<readonly number[]> {
  const [kind, id] = ownerOf(container);
  const [row] = await tx.query<{ traversal_ids: number[] }[]>(TREE[kind], [id]);
  const traversalIds = row?.traversal_ids ?? [];
  await tx.query(LOCK, [TITLE_LOCK, titles.map((title) => `${traversalIds[0] ?? 0}/${title}`)]);
  return traversalIds;
}

/**
 * Returns whether a milestone of the project or group, of a group above it or of anything below it has this
 * title; locks the title.
 */
export async function isTitleTaken(tx: Tx, container: PlanningContainer, title: string): Promise<boolean> {
  const [kind, id] = ownerOf(container);
  const traversalIds = await lockTitle(tx, container, title);
  return (await tx.query<unknown[]>(TAKEN[kind], [traversalIds, id, title])).length > 0;
}

const ownerOf = (container: PlanningContainer): readonly ['project' | 'group', number] =>
  'projectId' in container ? ['project', container.projectId] : ['group', container.groupId];
