import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict, notFound } from '#kernel/http/errors.js';
import type { EpicFacts } from '../visibility/epic.finder.js';
import { EpicChildOrderService } from './epic-child-order.service.js';
import { EpicChildrenQueries } from './epic-children.queries.js';
import { EpicTreeService } from './epic-tree.service.js';

const IS_CHILD = 'select 1 from epics where id = $1 and parent_id = $2';

/** Manages the children of epics, and their order. */
@Injectable()
export class EpicChildrenService {
  constructor(
    private readonly transactions: Transactions,
    private readonly queries: EpicChildrenQueries,
    private readonly tree: EpicTreeService,
    private readonly order: EpicChildOrderService,
  ) {}

  /** Moves an epic to the top of the children of another. @throws 403, 404, 409 */
  async add(caller: UserCaller, parent: EpicFacts, id: number): Promise<void> {
    await this.queries.assertMovable(caller, id);
    await this.transactions.run(async (tx) => {
      await this.tree.lock(tx, id, parent.id);
      const isNew = await this.tree.put(tx, caller, id, parent.id);
      if (!isNew) throw conflict('This epic cannot be added. It is already assigned to the parent epic.');
    });
  }

  /** Removes an epic from the children of another. @throws 403, 404 */
  async remove(caller: UserCaller, parent: EpicFacts, id: number): Promise<void> {
    await this.queries.assertMovable(caller, id);
    await this.transactions.run(async (tx) => {
      await this.tree.lock(tx, id, parent.id);
      await assertChild(tx, parent, id);
      await this.tree.put(tx, caller, id, null);
    });
  }

  /** Moves a child right after `beforeId`, right before `afterId`, or between both. @throws 403, 404 */
  async move(
    caller: UserCaller,
    parent: EpicFacts,
    id: number,
    beforeId: number | null,
    afterId: number | null,
  ): Promise<void> {
    await this.queries.assertMovable(caller, id);
    await this.transactions.run(async (tx) => {
      await this.tree.lock(tx, id, parent.id);
      await assertChild(tx, parent, id);
      await this.order.move(tx, parent.id, id, beforeId, afterId);
    });
  }
}

/** Asserts that the epic is a child of the parent. @throws 404 */
async function assertChild(tx: Tx, parent: EpicFacts, id: number): Promise<void> {
  const found = await tx.query<unknown[]>(IS_CHILD, [id, parent.id]);
  if (found.length === 0) throw notFound('Epic');
}
