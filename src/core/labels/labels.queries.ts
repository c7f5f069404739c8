import { Injectable } from '@nestjs/common';
import { containing } from '#kernel/database/like.sql.js';
import type { Caller } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { subscribedSql } from '#core/subscriptions/subscribed.sql.js';
import { ownOrAboveSql } from './reach/planning-container.js';
import { labelCountsSql } from './reach/label-counts.sql.js';
import { joinCaller, keepBelow } from './reach/label-reach.js';
import type { LabelRow } from './label.record.js';
import type { ListLabelsParams } from './labels.params.js';

type Subject = NonNullable<Caller['subject']>;

const shapeOf = (kind: Subject['kind'], withCounts: boolean): ListShape => {
  const project = kind === 'Project' ? 'me.container_id' : 'null::bigint';
  return {
    kind: 'Label',
    select: `l.id, l.title as name, l.color, l.description, l.project_id, l.group_id, l.project_id is not null as is_project_label,
      (select lp.priority from label_priorities lp where lp.project_id = ${project} and lp.label_id = l.id) as priority,
      ${subscribedSql('Label', 'l.id', 'me.id', project)} as subscribed, ${withCounts ? labelCountsSql(kind) : 'null'} as counts`,
    from: 'labels l',
    key: 'l.id',
  };
};

const SHAPES = {
  Project: [shapeOf('Project', false), shapeOf('Project', true)],
  Group: [shapeOf('Group', false), shapeOf('Group', true)],
} as const;

const OWN_OR_ABOVE = ownOrAboveSql('labels');

/** Titles are unique per project or group, and nesting is limited to less than this. */
const MOST_OF_A_NAME = 50;

/** Reads labels of projects and groups as the caller sees them. */
@Injectable()
export class LabelsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the labels of the caller's project or group by name. */
  list(caller: Caller, params: ListLabelsParams): ListQuery<LabelRow> {
    const subject = caller.subject as Subject;
    const query = this.start(caller, params.with_counts === true);
    const groupIds = groupsOf(subject, params.include_ancestor_groups ?? true);
    if (subject.kind === 'Project') query.from(OWN_OR_ABOVE, subject.id, groupIds);
    else keepBelow(query, caller, groupIds, params);
    if (params.search) {
      const like = containing(params.search);
      query.where('(l.title ilike ? or l.description ilike ?)', like, like).long();
    }
    if (params.with_counts) query.long();
    return query.orderByExpression('l.title collate "C", l.id');
  }

  /** Returns a label by id or name: own labels win over those of groups above. @throws 404 */
  async find(caller: Caller, idOrName: number | string, withAncestors = true): Promise<LabelRow> {
    const subject = caller.subject as Subject;
    const text = String(idOrName);
    const query = this.start(caller, false).from(
      OWN_OR_ABOVE,
      subject.kind === 'Project' ? subject.id : null,
      groupsOf(subject, withAncestors),
    );
    const id = /^\d{1,15}$/.test(text) ? Number(text) : null;
    query.where('(l.id = ?::bigint or l.title = ?)', id, text);
    const { text: sql, values } = query.pageStatement(MOST_OF_A_NAME, 0);
    const rows = await this.database.short<LabelRow>(sql, values);
    const depth = ({ group_id: groupId }: LabelRow): number =>
      groupId === null ? Infinity : subject.traversalIds.indexOf(groupId);
    const [nearest] = rows.sort((one, other) => depth(other) - depth(one));
    const row = rows.find((one) => one.id === id) ?? nearest;
    if (!row) throw notFound('Label');
    return row;
  }

  private start(caller: Caller, withCounts: boolean): ListQuery<LabelRow> {
    const query = new ListQuery<LabelRow>(SHAPES[(caller.subject as Subject).kind][withCounts ? 1 : 0]);
    joinCaller(query, caller);
    return query;
  }
}

/** Returns the groups whose labels apply: those above, and the group itself. */
function groupsOf({ kind, id, traversalIds }: Subject, withAncestors: boolean): readonly number[] {
  if (withAncestors) return traversalIds;
  return kind === 'Group' ? [id] : [];
}
