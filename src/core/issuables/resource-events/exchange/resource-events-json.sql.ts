import { isoTimeSql } from '#kernel/database/time.sql.js';
import { labelPairs } from '#core/labels/exchange/label-json.sql.js';
import { milestonePairs } from '#core/milestones/exchange/milestone-json.sql.js';
import type { IssuableKind } from '../../issuable-kind.js';
import { issuableColumn } from '../write-resource-events.js';

const DONE = `'user_id', xv.user_id, 'created_at', ${isoTimeSql('xv.created_at')}`;

const list = (kind: IssuableKind, id: string, pairs: string, from: string): string =>
  `(select coalesce(json_agg(json_build_object(${DONE}, ${pairs}) order by xv.id), '[]')
    from ${from} where xv.${issuableColumn(kind)} = ${id})`;

/**
 * SQL pairs of JSON: the events of an issuable in the format of v4 servers: `resourceEventPairs(ISSUE,
 * 'i.id')`.
 */
export function resourceEventPairs(kind: IssuableKind, id: string): string {
  const labels = list(
    kind,
    id,
    `'action', xv.action, 'label_id', xs.id, 'label', case when xs.id is not null then json_build_object(${labelPairs('xs')}) end`,
    'resource_label_events xv left join labels xs on xs.id = xv.label_id',
  );
  const milestones = list(
    kind,
    id,
    `'action', xv.action, 'state', xv.state, 'milestone', case when xs.id is not null then json_build_object(${milestonePairs('xs')}) end`,
    'resource_milestone_events xv left join milestones xs on xs.id = xv.milestone_id',
  );
  const states = list(
    kind,
    id,
    `'state', xv.state, 'source_commit', xv.source_commit`,
    'resource_state_events xv',
  );
  const ofMilestones = kind.type === 'Epic' ? '' : `'resource_milestone_events', ${milestones}, `;
  return `'resource_label_events', ${labels}, ${ofMilestones}'resource_state_events', ${states}`;
}
