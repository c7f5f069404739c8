import { Injectable } from '@nestjs/common';
import { containing } from '#kernel/database/like.sql.js';
import type { Caller, SubjectCaller } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { ownOrAboveSql, type PlanningContainer } from '#core/labels/reach/planning-container.js';
import { MILESTONE_COLUMNS, MILESTONE_FROM } from './milestone-columns.sql.js';
import type { MilestoneRow } from './milestone.record.js';
import type { ListMilestonesParams } from './milestones.params.js';

const SHAPE: ListShape = {
  kind: 'Milestone',
  select: MILESTONE_COLUMNS,
  from: MILESTONE_FROM,
  countFrom: 'milestones ms',
  key: 'ms.id',
};

const OWN_OR_ABOVE = ownOrAboveSql('milestones');

const ONE = `select ${MILESTONE_COLUMNS} from ${MILESTONE_FROM} where ms.id = $1 and (ms.project_id = $2 or ms.group_id = $3)`;

const EXISTS = {
  Project: 'select 1 from milestones where id = $1 and project_id = $2',
  Group: 'select 1 from milestones where id = $1 and group_id = $2',
} as const;

/** Reads milestones of projects and groups. */
@Injectable()
export class MilestonesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the milestones of the caller's project or group, newest first. */
  list({ subject }: Caller, params: ListMilestonesParams): ListQuery<MilestoneRow> {
    if (!subject) throw new Error('Milestones belong to a project or a group');
    const isProject = subject.kind === 'Project';
    const withAncestors = params.include_parent_milestones ?? params.include_ancestors ?? false;
    const own = isProject ? [] : [subject.id];
    const query = new ListQuery<MilestoneRow>(SHAPE).from(
      OWN_OR_ABOVE,
      isProject ? subject.id : null,
      withAncestors ? subject.traversalIds : own,
    );
    const { state, iids, title, search, updated_before: before, updated_after: after } = params;
    if (state !== undefined && state !== 'all') query.where('ms.state = ?', state);
    if (iids?.length && !withAncestors) query.where('ms.iid = any(?::bigint[])', iids);
    if (title !== undefined) query.where('ms.title = ?', title);
    if (before) query.where('ms.updated_at <= ?', before);
    if (after) query.where('ms.updated_at >= ?', after);
    if (search) {
      const like = containing(search);
      query.where('(ms.title ilike ? or ms.description ilike ?)', like, like).long();
    }
    return query.orderBy('ms.id', 'desc');
  }

  /** Returns a milestone of a project or group. @throws 404 */
  async find(container: PlanningContainer, id: number): Promise<MilestoneRow> {
    const owner = 'projectId' in container ? [container.projectId, null] : [null, container.groupId];
    const row = await this.database.one<MilestoneRow>(ONE, [id, ...owner]);
    if (!row) throw notFound('Milestone');
    return row;
  }

  /** Asserts that the caller's project or group has the milestone. @throws 404 */
  async assertExists({ subject }: SubjectCaller, id: number): Promise<void> {
    if (!(await this.database.one(EXISTS[subject.kind], [id, subject.id]))) throw notFound('Milestone');
  }
}
