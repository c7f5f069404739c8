import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { conflict, forbidden, HttpError, notFound } from '#kernel/http/errors.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import { SystemNotesService } from '#core/notes/system-notes.service.js';
import { EpicNoteableContribution } from '../visibility/epic-noteable.contribution.js';
import { epicContainer } from '../epic-rules.js';
import { EpicChildOrderService } from './epic-child-order.service.js';

/** An epic in its tree. */
interface Node {
  readonly id: number;
  readonly group_id: number;
  readonly parent_id: number | null;
  readonly confidential: boolean;
  /** Ids of its group and the groups above. */
  readonly groups: readonly number[];
}

/** Maximum nesting of epics. */
export const MAX_DEPTH = 7;

/** Arbitrary number of an advisory lock; the second key is the tree of groups. */
const TREE_LOCK = 746_274_012;

const LOCK_TREE = `select pg_advisory_xact_lock($1, hashtext(h.traversal_ids[1]::text)) from (
  select n.traversal_ids from namespaces n where n.id = (select e.group_id from epics e where e.id = $2) for key share) h`;

const LOCK_ROWS = `select 1 from epics where id in ($1, $2, (select parent_id from epics where id = $1)) order by id for no key update`;

const NODE = `select e.id, e.group_id, e.parent_id, e.confidential, n.traversal_ids as groups
  from epics e join namespaces n on n.id = e.group_id where e.id = $1`;

const ROLE = `select ${groupRoleSql('$2::bigint', 'n')} as role from epics e join namespaces n on n.id = e.group_id where e.id = $1`;

const ABOVE = `with recursive above as (select id, parent_id from epics where id = $1
    union all select e.id, e.parent_id from above a join epics e on e.id = a.parent_id)
  select id from above`;

const HEIGHT = `with recursive below as (select id, 1 as height from epics where id = $1
    union all select c.id, b.height + 1 from below b join epics c on c.parent_id = b.id)
  select max(height) as height from below`;

const SET_PARENT = `update epics set parent_id = $2, relative_position = $3, updated_at = ${STATEMENT_TIME} where id = $1`;

const cannot = (why: string): HttpError => conflict(`This epic cannot be added. ${why}`);

/**
 * Manages parents of epics (`planning.md` 3.1), which are in the same group or one above; only in the top
 * plan. Changes in a tree of groups are serialized, so that two cannot create a cycle.
 */
@Injectable()
export class EpicTreeService {
  constructor(
    private readonly noteables: EpicNoteableContribution,
    private readonly order: EpicChildOrderService,
    private readonly notes: SystemNotesService,
  ) {}

  /**
   * Starts a change of the parent or the confidentiality of an epic: locks its tree and all epics concerned,
   * in the order used everywhere.
   */
  async lock(tx: Tx, id: number, parentId: number | null): Promise<void> {
    await lockEpicTree(tx, id);
    await tx.query(LOCK_ROWS, [id, parentId]);
  }

  /**
   * Moves a locked epic to the top of the children of another, or removes its parent, unless the caller may
   * not see that: the epic then appears to have none, and keeps it. Returns whether anything changed. @throws
   * 403, 404 if the caller may not use the parent, 409 if it is invalid
   */
  async put(tx: Tx, caller: UserCaller, id: number, parentId: number | null): Promise<boolean> {
    const child = await nodeOf(tx, id);
    if (child.parent_id === parentId) return false;
    if (parentId === null && child.parent_id !== null && !(await this.reads(caller, child.parent_id)))
      return false;
    if (parentId !== null) {
      if (caller.tier < Tier.Ultimate) throw forbidden();
      const parent = await this.parentFor(tx, caller, parentId);
      await assertFits(tx, parent, child);
    }
    await tx.query(SET_PARENT, [id, parentId, parentId === null ? null : await this.order.top(tx, parentId)]);
    if (child.parent_id !== null) await this.tell(tx, caller, child.parent_id, 'removed a child epic');
    if (parentId !== null) await this.tell(tx, caller, parentId, 'added a child epic');
    const what = parentId === null ? 'removed from its parent epic' : 'added to a parent epic';
    await this.tell(tx, caller, id, what);
    return true;
  }

  private async reads({ actor: { id, admin } }: UserCaller, epicId: number): Promise<boolean> {
    return admin || (await this.noteables.readersAmong(epicId, [id], false)).has(id);
  }

  private async parentFor(tx: Tx, caller: UserCaller, parentId: number): Promise<Node> {
    const { id: userId, admin } = caller.actor;
    if (!(await this.reads(caller, parentId))) throw notFound('Epic');
    const parent = await nodeOf(tx, parentId);
    const [row] = await tx.query<{ role: Role }[]>(ROLE, [parentId, userId]);
    const least = parent.confidential ? Role.Reporter : Role.Guest;
    if (!admin && (row?.role ?? Role.None) < least) throw forbidden();
    return parent;
  }

  /** Readers of one epic may not be able to read the other. */
  private async tell(tx: Tx, { actor }: Caller, id: number, body: string): Promise<void> {
    const { group_id: groupId } = await nodeOf(tx, id);
    const target = { type: 'Epic', id, ...epicContainer(groupId) } as const;
    await this.notes.write(tx, target, actor?.id ?? null, 'relate_epic', body);
  }
}

/** Serializes changes of parents in a tree of groups, and keeps the group of the epic where it is. */
export async function lockEpicTree(tx: Tx, epicId: number): Promise<void> {
  await tx.query(LOCK_TREE, [TREE_LOCK, epicId]);
}

/** Reads an epic in its tree. @throws 404 */
async function nodeOf(tx: Tx, id: number): Promise<Node> {
  const [node] = await tx.query<Node[]>(NODE, [id]);
  if (!node) throw notFound('Epic');
  return node;
}

/** Asserts that the parent is valid. @throws 404 if it is in another tree, 409 */
async function assertFits(tx: Tx, parent: Node, child: Node): Promise<void> {
  if (parent.id === child.id) throw cannot('An epic cannot be added to itself.');
  if (!child.groups.includes(parent.group_id))
    throw new HttpError(404, {
      message: 'No matching epic found. Make sure that you are adding a valid epic URL.',
    });
  const above = (await tx.query<{ id: number }[]>(ABOVE, [parent.id])).map(({ id }) => id);
  if (above.includes(child.id)) throw cannot('It is already an ancestor of the parent epic.');
  if (parent.confidential && !child.confidential)
    throw cannot('A non-confidential epic cannot be assigned to a confidential parent epic.');
  const [below] = await tx.query<{ height: number }[]>(HEIGHT, [child.id]);
  if (above.length + (below?.height ?? 1) > MAX_DEPTH)
    throw cannot(
      `One or more epics would exceed the maximum depth (${MAX_DEPTH}) from its most distant ancestor.`,
    );
}
