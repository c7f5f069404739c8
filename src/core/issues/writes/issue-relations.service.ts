import { Injectable } from '@nestjs/common';
import { Role, Tier } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { assignable, namedUsers } from '#core/issuables/assignees.js';
import { ProjectReadersQueries } from '#core/issuables/project-readers.queries.js';
import { LabelNamesService } from '#core/labels/links/label-names.service.js';
import { assertUsable } from '#core/milestones/usable-milestone.js';

interface PeopleParams {
  readonly assignee_ids?: number[] | null;
  readonly assignee_id?: number | null;
}

/** Finds what parameters name: users to assign, labels, milestones. */
@Injectable()
export class IssueRelationsService {
  constructor(
    private readonly readers: ProjectReadersQueries,
    private readonly labels: LabelNamesService,
  ) {}

  /** Returns the requested assignees who can read issues of the project; null for no change. Free plans allow one assignee. */
  async assignees(tx: Tx, projectId: number, params: PeopleParams, tier: Tier): Promise<number[] | null> {
    const ids = namedUsers(params.assignee_ids, params.assignee_id);
    if (ids === null) return null;
    const lock = async (among: readonly number[]): Promise<ReadonlySet<number>> =>
      new Set((await this.readers.lockAmong(tx, projectId, among, 'issues', Role.Guest)).keys());
    return assignable(ids, lock, tier >= Tier.Premium);
  }

  /** Returns the id of the milestone in a parameter, null for none, undefined for no change. @throws 400 */
  async milestone(
    tx: Tx,
    projectId: number,
    id: number | null | undefined,
  ): Promise<number | null | undefined> {
    if (id === undefined) return undefined;
    if (id === null || id === 0) return null;
    await assertUsable(tx, projectId, id);
    return id;
  }

  /** Returns the ids of labels by name; Reporters create missing ones. */
  async labelIds(tx: Tx, projectId: number, names: readonly string[], role: Role): Promise<number[]> {
    return (await this.askForLabels(tx, projectId, names, role))();
  }

  /**
   * Does the same in one round trip with the next statement of `tx`; the returned function gives the result.
   */
  askForLabels(
    tx: Tx,
    projectId: number,
    names: readonly string[],
    role: Role,
  ): Promise<() => Promise<number[]>> {
    return this.labels.askFor(tx, { projectId }, names, role >= Role.Reporter);
  }
}
