import type { Type } from '@nestjs/common';
import type { ListShape } from '#kernel/database/lists/list-query.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Links } from '#kernel/http/links.js';
import { milestoneSql } from '#core/milestones/milestone-columns.sql.js';
import {
  presentLabelEvent,
  presentMilestoneEvent,
  presentStateEvent,
  ResourceLabelEventRecord,
  ResourceMilestoneEventRecord,
  ResourceStateEventRecord,
  type ChangedIssuable,
  type ResourceEventRow,
  type ResourceLabelEventRow,
  type ResourceMilestoneEventRow,
  type ResourceStateEventRow,
} from './resource-event.record.js';
import { userJson } from '#core/users/records/user-basic.sql.js';

/** A kind of resource events: how they are read and presented. */
export interface ResourceEventKind<Row extends ResourceEventRow, EventRecord extends object> {
  /** Name for users, as in `404 <name> Not Found`. */
  readonly name: string;
  /** Last segment of the path, and the name of the table. */
  readonly path: 'resource_label_events' | 'resource_milestone_events' | 'resource_state_events';
  readonly record: Type<EventRecord>;
  readonly shape: ListShape;
  /**
   * Alias of the label or milestone of the event: a row with `project_id` or `group_id`; null if there is
   * none.
   */
  readonly names: string | null;
  readonly present: (row: Row, issuable: ChangedIssuable, links: Links) => EventRecord;
}

const USER = `(select ${userJson('u')}
  from users u where u.id = x.user_id)`;
const COLUMNS = `x.id, ${USER} as "user", ${isoTimeSql('x.created_at')} as created_at`;

const LABEL = `case when l.id is not null
  then jsonb_build_object('id', l.id, 'name', l.title, 'color', l.color, 'description', l.description) end`;

/** `x` is the alias of the events. */
const shape = (name: string, from: string, select: string): ListShape => ({
  kind: name,
  select: `${COLUMNS}, ${select}`,
  from,
  key: 'x.id',
});

/** Added and removed labels. */
export const LABEL_EVENTS: ResourceEventKind<ResourceLabelEventRow, ResourceLabelEventRecord> = {
  name: 'ResourceLabelEvent',
  path: 'resource_label_events',
  record: ResourceLabelEventRecord,
  shape: shape(
    'ResourceLabelEvent',
    'resource_label_events x left join labels l on l.id = x.label_id',
    `${LABEL} as label, x.action`,
  ),
  names: 'l',
  present: presentLabelEvent,
};

/** Added and removed milestones. */
export const MILESTONE_EVENTS: ResourceEventKind<ResourceMilestoneEventRow, ResourceMilestoneEventRecord> = {
  name: 'ResourceMilestoneEvent',
  path: 'resource_milestone_events',
  record: ResourceMilestoneEventRecord,
  shape: shape(
    'ResourceMilestoneEvent',
    'resource_milestone_events x left join milestones s on s.id = x.milestone_id',
    `${milestoneSql('x.milestone_id')} as milestone, x.action, x.state`,
  ),
  names: 's',
  present: presentMilestoneEvent,
};

/** Changes of the state. */
export const STATE_EVENTS: ResourceEventKind<ResourceStateEventRow, ResourceStateEventRecord> = {
  name: 'ResourceStateEvent',
  path: 'resource_state_events',
  record: ResourceStateEventRecord,
  shape: shape(
    'ResourceStateEvent',
    'resource_state_events x',
    `x.source_commit, (select m.id from merge_requests m where m.id = x.source_merge_request_id) as source_merge_request_id, x.state`,
  ),
  names: null,
  present: presentStateEvent,
};
