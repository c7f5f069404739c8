import { live } from '#kernel/database/time.sql.js';
import type { NotifiableKind, NotifiableTarget } from './notifiable-event.js';

/**
 * SELECTs of candidates as rows (user_id, type, reason), from `given`: target (id), project, groups, note,
 * kind, removed, mentioned, labels. Each uses an index, so that a comment on a noteable with thousands of
 * participants takes milliseconds.
 */

interface IssuableTables {
  readonly table: string;
  /** Tables with users and labels of the noteable: the key to it. */
  readonly key?: string;
  readonly assignees?: string;
  readonly reviewers?: string;
  readonly labels?: string;
}

const ISSUABLES: Readonly<Partial<Record<NotifiableTarget['type'], IssuableTables>>> = {
  Issue: { table: 'issues', key: 'issue_id', assignees: 'issue_assignees', labels: 'issue_labels' },
  MergeRequest: {
    table: 'merge_requests',
    key: 'merge_request_id',
    assignees: 'merge_request_assignees',
    reviewers: 'merge_request_reviewers',
    labels: 'merge_request_labels',
  },
  Epic: { table: 'epics', key: 'epic_id', labels: 'epic_labels' },
  Snippet: { table: 'snippets' },
};

type Reason = 'assigned' | 'review_requested' | 'mentioned' | 'subscribed';

const row = (user: string, type: string, reason?: Reason): string =>
  `select ${user}, '${type}', ${reason === undefined ? 'null' : `'${reason}'`}`;

/** The project and the groups above it, as type and id of setting sources. */
const SOURCES = `(select 'Project' as type, given.project as id from given where given.project is not null
  union all select 'Namespace', unnest(given.groups) from given)`;

const MEMBERS = `select m.user_id from ${SOURCES} o join members m on m.source_type = o.type and m.source_id = o.id and ${live('m')}
  union select n.owner_id from given join namespaces n on n.id = any(given.groups) and n.owner_id is not null`;

/**
 * Members, and users with the level `global` for the container: rows of `user_id`, from the project and groups of
 * `given`.
 */
export const FOLLOWERS = `${MEMBERS}
  union select s.user_id from ${SOURCES} o join notification_settings s
    on s.source_type = o.type and s.source_id = o.id and s.level = 'global'`;

/** Users with some levels, here or globally; for `custom` the rules check the event. */
const following = (levels: string): string => `select s.user_id, s.level, null
    from ${SOURCES} o join notification_settings s on s.source_type = o.type and s.source_id = o.id and s.level in (${levels})
  union all select g.user_id, g.level, null from (${FOLLOWERS}) f
    join notification_settings g on g.user_id = f.user_id and g.source_type is null and g.level in (${levels})`;

const people = (
  table: string | undefined,
  key: string | undefined,
  type: string,
  reason?: Reason,
): string[] =>
  table === undefined || key === undefined
    ? []
    : [`${row('a.user_id', type, reason)} from given join ${table} a on a.${key} = given.target`];

const COMMIT_AUTHORS = `${row('n.author_id', 'participating')} from given join notes c on c.id = given.note
  join notes n on n.project_id = c.project_id and n.commit_id = c.commit_id and not n.system`;

function participants(type: NotifiableTarget['type']): string[] {
  if (type === 'Commit') return [COMMIT_AUTHORS];
  const issuable = ISSUABLES[type];
  if (!issuable) throw new Error(`A ${type} has no participants`);
  return [
    `${row('t.author_id', 'participating')} from given join ${issuable.table} t on t.id = given.target`,
    ...people(issuable.assignees, issuable.key, 'participating'),
    ...people(issuable.reviewers, issuable.key, 'participating'),
    `${row('n.author_id', 'participating')} from given join lateral (select distinct n.author_id from notes n
      where n.noteable_type = '${type}' and n.noteable_id = given.target and not n.system) n on true`,
    `select m.user_id, case when n.internal then 'insider' else 'participating' end, null from given
      join mentions m on m.target_type = '${type}' and m.target_id = given.target left join notes n on n.id = m.note_id`,
  ];
}

const subscribers = (type: NotifiableTarget['type']): string =>
  `${row('s.user_id', 'subscription', 'subscribed')} from given join subscriptions s
    on s.target_type = '${type}' and s.target_id = given.target and s.subscribed`;

/** Subscribers of labels: a choice about a label in the project overrides the one in its group. */
const labelSubscribers = (labels: string): string =>
  `${row('l.user_id', 'subscription', 'subscribed')} from (
    select distinct on (s.target_id, s.user_id) s.user_id, s.subscribed from given join subscriptions s
      on s.target_type = 'Label' and s.target_id = any(${labels}) and (s.project_id is null or s.project_id = given.project)
      order by s.target_id, s.user_id, s.project_id nulls last) l where l.subscribed`;

/** Users mentioned in the note, or without one in the description, and those named by the event. */
const mentioned = (type: NotifiableTarget['type']): string[] => [
  `${row('m.user_id', 'mention', 'mentioned')} from given join mentions m on m.target_type = '${type}'
    and m.target_id = given.target and m.note_id is not distinct from given.note`,
  `${row('unnest(given.mentioned)', 'mention', 'mentioned')} from given`,
];

const removed = `${row('unnest(given.removed)', 'mention')} from given`;

const pipelineUser = `${row('t.user_id', 'watch')} from given join ci_pipelines t on t.id = given.target`;

const ownersOfMerge = `select unnest(array[t.author_id, t.merge_user_id]), 'participating', null
  from given join merge_requests t on t.id = given.target`;

const WATCH = `'watch', 'custom'`;
const CUSTOM = `'custom'`;

/** Returns the SELECTs for an event of this kind on a noteable of this type (`planning.md` 2.3). */
export function candidateParts(kind: NotifiableKind, type: NotifiableTarget['type']): readonly string[] {
  const issuable = ISSUABLES[type];
  const common = (levels = WATCH): string[] => [
    ...participants(type),
    following(levels),
    ...(type === 'Snippet' || type === 'Commit' ? [] : [subscribers(type)]),
  ];
  switch (kind) {
    case 'new_issue':
    case 'new_merge_request':
    case 'new_epic':
      return [
        ...common(),
        ...mentioned(type),
        ...people(issuable?.assignees, issuable?.key, 'participating', 'assigned'),
        ...(issuable?.labels === undefined
          ? []
          : [
              labelSubscribers(
                `array(select x.label_id from ${issuable.labels} x where x.${issuable.key} = given.target)`,
              ),
            ]),
      ];
    case 'new_note':
      return [...common(), ...mentioned(type)];
    case 'reassign_issue':
    case 'reassign_merge_request':
      return [...common(), removed, ...people(issuable?.assignees, issuable?.key, 'mention', 'assigned')];
    case 'change_reviewer_merge_request':
      return [
        ...common(),
        removed,
        ...people(issuable?.reviewers, issuable?.key, 'mention', 'review_requested'),
      ];
    case 'push_to_merge_request':
    case 'issue_due':
      return common(CUSTOM);
    case 'failed_pipeline':
    case 'fixed_pipeline':
    case 'success_pipeline':
      return [pipelineUser];
    case 'moved_project':
      return [`select m.user_id, 'mention', null from (${MEMBERS}) m`];
    case 'new_release':
      return [following(CUSTOM)];
    case 'relabeled':
      return [labelSubscribers('given.labels')];
    case 'mentioned':
      return [`${row('unnest(given.mentioned)', 'mention', 'mentioned')} from given`];
    case 'became_unmergeable':
      return [ownersOfMerge];
    case 'member_added':
    case 'member_changed':
    case 'membership_expiring':
      return [`${row('unnest(given.mentioned)', 'mention')} from given`];
    default:
      return common();
  }
}
