import { Flag, Id, IsoDate, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import type { MilestoneState } from './milestone.entity.js';

/** A milestone (`planning.md` 5.4). */
export class MilestoneRecord {
  @Id()
  id!: number;

  @Id({ description: 'Number within the project or the group' })
  iid!: number;

  @Id({ optional: true, description: 'Of a milestone of a project alone' })
  project_id?: number;

  @Id({ optional: true, description: 'Of a milestone of a group alone' })
  group_id?: number;

  @Text()
  title!: string;

  @Text({ nullable: true, maxLength: 1_048_576 })
  description!: string | null;

  @OneOf(['active', 'closed'])
  state!: MilestoneState;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @IsoDate({ nullable: true })
  due_date!: string | null;

  @IsoDate({ nullable: true })
  start_date!: string | null;

  @Flag({ description: 'Whether the due date has passed' })
  expired!: boolean;

  @Text()
  web_url!: string;
}

/** Row of a milestone: by `MILESTONE_COLUMNS`, or as JSON by `milestoneSql`. */
export interface MilestoneRow extends Omit<MilestoneRecord, 'project_id' | 'group_id' | 'web_url'> {
  readonly project_id: number | null;
  readonly group_id: number | null;
  /** Of the project or group. */
  readonly full_path: string;
}

/** Presents a milestone. */
export function presentMilestone(row: MilestoneRow, links: Links): MilestoneRecord {
  const { project_id: projectId, group_id: groupId } = row;
  const base = projectId === null ? links.group(row.full_path) : links.project(row.full_path);
  return {
    id: row.id,
    iid: row.iid,
    ...(projectId === null ? {} : { project_id: projectId }),
    ...(groupId === null ? {} : { group_id: groupId }),
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: row.created_at,
    updated_at: row.updated_at,
    due_date: row.due_date,
    start_date: row.start_date,
    expired: row.expired,
    web_url: `${base}/-/milestones/${row.iid}`,
  };
}
