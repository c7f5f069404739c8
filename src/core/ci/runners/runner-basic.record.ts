import { Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { RUNNER_TYPES, type RunnerType } from './runner.entity.js';

/** Contact states of runners, from the time of their last request. */
export const RUNNER_CONTACTS = ['online', 'offline', 'stale', 'never_contacted'] as const;

/** Contact state of a runner. */
export type RunnerContact = (typeof RUNNER_CONTACTS)[number];

/** Deprecation of attributes that v5 removes because they are duplicates or obsolete. */
export const GOING_WITH_V5 = { since: '2022-02-22', sunset: '2028-05-22' } as const;

/** A runner in lists and in records of jobs. */
export class RunnerBasicRecord {
  @Id()
  id!: number;

  @Text({ nullable: true })
  description!: string | null;

  @Text({ deprecated: GOING_WITH_V5, description: 'Always empty: addresses of runners are not disclosed' })
  ip_address!: string;

  @Flag({ deprecated: GOING_WITH_V5, description: 'The opposite of paused, which replaces it' })
  active!: boolean;

  @Flag()
  paused!: boolean;

  @Flag({ description: 'Whether it works for all projects of the instance' })
  is_shared!: boolean;

  @OneOf(RUNNER_TYPES)
  runner_type!: RunnerType;

  @Text({ nullable: true })
  name!: string | null;

  @Flag({ nullable: true })
  online!: boolean | null;

  @OneOf(RUNNER_CONTACTS)
  status!: RunnerContact;
}

/** Row of a `RunnerBasicRecord`; ids are null for jobs without a runner. */
export interface RunnerBasicRow {
  readonly r_id: number | null;
  readonly r_description: string | null;
  readonly r_paused: boolean;
  readonly r_runner_type: RunnerType;
  readonly r_name: string | null;
  readonly r_status: RunnerContact;
}

/** SQL for the contact state of a runner `r`; stale after three months without a request. */
export const RUNNER_CONTACT_SQL = `case when r.contacted_at > now() - interval '2 hours' then 'online'
  when coalesce(r.contacted_at, r.created_at) < now() - interval '3 months' then 'stale'
  when r.contacted_at is null then 'never_contacted' else 'offline' end`;

/** Select list of a `RunnerBasicRow`, for a runner `r`. */
export const RUNNER_BASIC_COLUMNS = `r.id as r_id, r.description as r_description, r.paused as r_paused,
  r.runner_type as r_runner_type, r.name as r_name, ${RUNNER_CONTACT_SQL} as r_status`;

/** Presents the runner of a row; null if there is none. */
export function presentRunnerBasic(row: RunnerBasicRow): RunnerBasicRecord | null {
  if (row.r_id === null) return null;
  return {
    id: row.r_id,
    description: row.r_description,
    ip_address: '',
    active: !row.r_paused,
    paused: row.r_paused,
    is_shared: row.r_runner_type === 'instance_type',
    runner_type: row.r_runner_type,
    name: row.r_name,
    online: row.r_status === 'online',
    status: row.r_status,
  };
}
