import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { assignable, namedUsers } from '#core/issuables/assignees.js';
import type { NamedLabels } from '#core/issuables/label-links.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { LabelNamesService } from '#core/labels/links/label-names.service.js';
import { assertUsable } from '#core/milestones/usable-milestone.js';
import type { MergeRequestValuesParams, UpdateMergeRequestParams } from '../merge-requests.params.js';

/** Ids of what the parameters name; null or undefined for no change. */
export interface NamedRelations {
  readonly assigneeIds: readonly number[] | null;
  readonly reviewerIds: readonly number[] | null;
  /** Null for none. */
  readonly milestoneId: number | null | undefined;
  readonly labels: NamedLabels;
}

/** Parameters for planning. */
export type PlanParams = Pick<
  MergeRequestValuesParams,
  'assignee_ids' | 'assignee_id' | 'reviewer_ids' | 'milestone_id' | 'labels'
> &
  Pick<UpdateMergeRequestParams, 'add_labels' | 'remove_labels'>;

/** Finds what parameters name: users, labels, milestones. */
@Injectable()
export class MergeRequestRelationsService {
  constructor(
    private readonly readers: ProjectReadersQueries,
    private readonly labels: LabelNamesService,
  ) {}

  /**
   * Finds the named rows and locks them until `tx` ends. Free plans allow one assignee and one reviewer.
   * @throws 400
   */
  async find(tx: Tx, projectId: number, params: PlanParams, tier: Tier): Promise<NamedRelations> {
    const { milestone_id: milestone, labels, add_labels: add = [], remove_labels: remove = [] } = params;
    const assignees = namedUsers(params.assignee_ids, params.assignee_id);
    const reviewers = namedUsers(params.reviewer_ids, undefined);
    const lock = async (among: readonly number[]): Promise<ReadonlySet<number>> =>
      new Set((await this.readers.lockAmong(tx, projectId, among, 'merge_requests', Role.Reporter)).keys());
    const people = async (ids: number[] | null): Promise<number[] | null> =>
      ids && assignable(ids, lock, tier >= Tier.Premium);
    const named = (names: readonly string[], mayCreate: boolean): Promise<number[]> =>
      this.labels.resolve(tx, { projectId }, names, mayCreate);
    if (milestone) await assertUsable(tx, projectId, milestone);
    return {
      assigneeIds: await people(assignees),
      reviewerIds: await people(reviewers),
      milestoneId: milestone === 0 ? null : milestone,
      labels: {
        all: labels === undefined ? null : await named(labels ?? [], true),
        add: await named(add, true),
        remove: await named(remove, false),
      },
    };
  }

  /** Returns those of the users who can read the merge requests of a project. */
  async reading(projectId: number, userIds: readonly number[]): Promise<ReadonlySet<number>> {
    const roles = await this.readers.among(projectId, userIds, 'merge_requests', Role.Reporter);
    return new Set(roles.keys());
  }

  /** Returns whether a user may push to unprotected branches of another project. */
  async mayPush(actor: Actor, projectId: number): Promise<boolean> {
    const role = await this.readers.roleOf(actor, projectId, 'repository', Role.Reporter);
    return role !== null && role >= Role.Developer;
  }

  /** Returns whether a user may read the code of another project. */
  async mayReadCode(actor: Actor, projectId: number): Promise<boolean> {
    return (await this.readers.roleOf(actor, projectId, 'repository', Role.Reporter)) !== null;
  }
}
