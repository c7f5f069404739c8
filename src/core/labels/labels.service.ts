import { Injectable } from '@nestjs/common';
import { differs } from '#kernel/database/base.entity.js';
import { insertNew } from '#kernel/database/statements/insert-new.js';
import { clock } from '#kernel/database/time.sql.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { SubscriptionsService } from '#core/subscriptions/subscriptions.service.js';
import { LabelLinksService } from './links/label-links.service.js';
import { LabelPrioritiesService } from './links/label-priorities.service.js';
import { isTitleTaken, judgeLabel, labelExists, titleTaken } from './label-rules.js';
import { Label } from './label.entity.js';
import type { CreateLabelParams, LabelChangesParams } from './labels.params.js';
import type { PlanningContainer } from './reach/planning-container.js';

const TITLES = new Set(['labels_project_title', 'labels_group_title']);

/** Manages the labels of projects and groups (`planning.md` 5.6). */
@Injectable()
export class LabelsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly priorities: LabelPrioritiesService,
    private readonly links: LabelLinksService,
    private readonly subscriptions: SubscriptionsService,
  ) {}

  /** Creates a label and returns its id. @throws 400, 409 */
  create(container: PlanningContainer, params: CreateLabelParams): Promise<number> {
    const values = judgeLabel({ title: params.name, color: params.color });
    return this.transactions.run(async (tx) => {
      if (await isTitleTaken(tx, container, params.name)) throw labelExists();
      const id = await insertNew(tx, Label, {
        ...container,
        ...values,
        description: params.description ?? null,
      });
      if (id === null) throw labelExists();
      const { priority = null } = params;
      if ('projectId' in container && priority !== null)
        await this.priorities.set(tx, container.projectId, id, priority);
      return id;
    });
  }

  /** Updates a label; for a group label in a project, only its priority there. @throws 400, 404 */
  async update(container: PlanningContainer, id: number, changes: LabelChangesParams): Promise<void> {
    const { new_name: title, color, description, priority } = changes;
    const values = { ...judgeLabel({ title, color }), ...(description === undefined ? {} : { description }) };
    const hasValues = Object.keys(values).length > 0;
    try {
      await this.transactions.run(async (tx) => {
        const label = await lock(tx, id, 'for_no_key_update');
        if (hasValues && !isOf(label, container)) throw notFound('Label');
        if (title !== undefined && title !== label.title && (await isTitleTaken(tx, container, title)))
          throw titleTaken();
        if (differs(label, values)) await tx.update(Label, { id }, { ...values, updatedAt: clock });
        if (priority !== undefined && 'projectId' in container)
          await this.priorities.set(tx, container.projectId, id, priority);
      });
    } catch (error) {
      if (TITLES.has(violatedConstraint(error) ?? '')) throw titleTaken();
      throw error;
    }
  }

  /** Removes a label, also from all issuables. @throws 404, 412 */
  remove(container: PlanningContainer, id: number, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const label = await lock(tx, id, 'pessimistic_write');
      if (!isOf(label, container)) throw notFound('Label');
      unmodified(label.updatedAt);
      await this.links.hold(tx, [id]);
      await this.subscriptions.forget(tx, 'Label', [id]);
      await tx.delete(Label, { id });
    });
  }
}

const isOf = ({ projectId, groupId }: Label, container: PlanningContainer): boolean =>
  'projectId' in container ? projectId === container.projectId : groupId === container.groupId;

/** Labels can be added to issuables while they are being changed, but not while they are being removed. */
async function lock(tx: Tx, id: number, mode: 'for_no_key_update' | 'pessimistic_write'): Promise<Label> {
  const label = await tx.findOne(Label, { where: { id }, lock: { mode } });
  if (!label) throw notFound('Label');
  return label;
}
