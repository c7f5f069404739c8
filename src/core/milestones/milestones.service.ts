import { Injectable } from '@nestjs/common';
import { differs } from '#kernel/database/base.entity.js';
import { clock } from '#kernel/database/time.sql.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import type { PlanningContainer } from '#core/labels/reach/planning-container.js';
import { MilestoneActivityService } from './milestone-activity.service.js';
import { MilestoneLinksService } from './milestone-links.service.js';
import { failed, isTitleTaken, milestoneProblems, TITLE_TAKEN } from './milestone-rules.js';
import { Milestone, type MilestoneState } from './milestone.entity.js';
import type { CreateMilestoneParams, UpdateMilestoneParams } from './milestones.params.js';

/** Attributes of a milestone that can be changed. */
export type MilestoneChanges = Omit<UpdateMilestoneParams, 'milestone_id'>;

const TITLES = new Set(['milestones_project_title', 'milestones_group_title']);
const STATES: Readonly<Record<string, MilestoneState>> = { close: 'closed', activate: 'active' };

/** Manages the milestones of projects and groups (`planning.md` 5.4). */
@Injectable()
export class MilestonesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly iids: InternalIdsService,
    private readonly activity: MilestoneActivityService,
    private readonly links: MilestoneLinksService,
  ) {}

  /** Creates a milestone and returns its id. @throws 400 */
  create(container: PlanningContainer, actorId: number, params: CreateMilestoneParams): Promise<number> {
    const { title, description = null, start_date: startDate = null, due_date: dueDate = null } = params;
    const values = { title, description, startDate, dueDate };
    const problems = milestoneProblems(values);
    if (problems) throw failed('create', problems);
    return this.titled('create', async (tx) => {
      if (await isTitleTaken(tx, container, title)) throw failed('create', TITLE_TAKEN);
      const iid = await this.nextIid(tx, container);
      const created = await tx.insert(Milestone, { ...container, ...values, iid, state: 'active' });
      const { id } = created.identifiers[0] as { id: number };
      await this.activity.tell(tx, 'created', actorId, container, { id, iid, title });
      return id;
    });
  }

  /** Updates a milestone. @throws 400, 404 */
  update(
    container: PlanningContainer,
    actorId: number,
    id: number,
    changes: MilestoneChanges,
  ): Promise<void> {
    const { title, description, start_date: startDate, due_date: dueDate, state_event: event } = changes;
    const state = event === undefined ? undefined : STATES[event];
    const given = Object.entries({ title, description, startDate, dueDate, state });
    const values = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Partial<Milestone>;
    return this.titled('update', async (tx) => {
      const former = await lock(tx, container, id, 'for_no_key_update');
      const present = Object.assign(new Milestone(), former, values);
      const problems = milestoneProblems(present);
      if (problems) throw failed('update', problems);
      if (present.title !== former.title && (await isTitleTaken(tx, container, present.title)))
        throw failed('update', TITLE_TAKEN);
      if (differs(former, values)) await tx.update(Milestone, { id }, { ...values, updatedAt: clock });
      if (present.state !== former.state)
        await this.activity.tell(
          tx,
          present.state === 'closed' ? 'closed' : 'reopened',
          actorId,
          container,
          present,
        );
    });
  }

  /** Removes a milestone, also from all issuables. @throws 404, 412 */
  remove(
    container: PlanningContainer,
    actorId: number,
    id: number,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.transactions.run(async (tx) => {
      const milestone = await lock(tx, container, id, 'pessimistic_write');
      unmodified(milestone.updatedAt);
      await this.links.leave(tx, id, actorId);
      await tx.delete(Milestone, { id });
      await this.activity.tell(tx, 'destroyed', actorId, container, milestone);
      if ('projectId' in container) await this.iids.removed(tx, container.projectId, 'milestones', 1);
    });
  }

  private nextIid(tx: Tx, container: PlanningContainer): Promise<number> {
    return 'projectId' in container
      ? this.iids.next(tx, container.projectId, 'milestones')
      : this.iids.nextOfGroup(tx, container.groupId, 'milestones');
  }

  private async titled<T>(verb: 'create' | 'update', work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.transactions.run(work);
    } catch (error) {
      if (TITLES.has(violatedConstraint(error) ?? '')) throw failed(verb, TITLE_TAKEN);
      throw error;
    }
  }
}

/** Milestones can be set on issuables while they are being changed, but not while they are being removed. */
async function lock(
  tx: Tx,
  container: PlanningContainer,
  id: number,
  mode: 'for_no_key_update' | 'pessimistic_write',
): Promise<Milestone> {
  const found = await tx.findOne(Milestone, { where: { id, ...container }, lock: { mode } });
  if (!found) throw notFound('Milestone');
  return found;
}
