import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { GOING_WITH_V5, RUNNER_CONTACTS } from '#core/ci/runners/runner-basic.record.js';
import {
  RUNNER_ACCESS_LEVELS,
  RUNNER_TYPES,
  type Runner,
  type RunnerType,
} from '#core/ci/runners/runner.entity.js';

/** `not_connected` is the v5 name for runners that never connected. */
const STATUSES = [...RUNNER_CONTACTS, 'not_connected', 'active', 'paused'] as const;
const SCOPES = [...STATUSES, 'specific', 'shared'] as const;
/** Not contact states: the filter `paused` replaces them. */
const NO_CONTACTS: ReadonlySet<unknown> = new Set(['active', 'paused']);
const MAX_TAGS = 100;
const MAX_NOTE = 1024;
const JOB_STATUSES = ['running', 'success', 'failed', 'canceled'] as const;

/** Status filter. */
export type RunnerStatus = (typeof STATUSES)[number];

/** Filters of lists of runners. */
export class ListRunnersParams {
  @OneOf(RUNNER_TYPES, { optional: true })
  type?: RunnerType;

  @OneOf(STATUSES, {
    optional: true,
    deprecated: { ...GOING_WITH_V5, when: (raw) => NO_CONTACTS.has(raw) },
    description: 'active and paused are deprecated: use paused',
  })
  status?: RunnerStatus;

  @Flag({ optional: true })
  paused?: boolean;

  @List(Text({ maxLength: 255 }), { optional: true, commaSeparated: true, maxItems: MAX_TAGS })
  tag_list?: string[];

  @OneOf(SCOPES, { optional: true, deprecated: GOING_WITH_V5, description: 'Use type or status' })
  scope?: (typeof SCOPES)[number];
}

/** Path parameters of a runner. */
export class FindRunnerParams {
  @Id()
  id!: number;
}

/** Attributes of a runner that users can set. */
export class RunnerAttributesParams {
  @Text({ optional: true, maxLength: MAX_NOTE })
  description?: string;

  @Flag({ optional: true })
  paused?: boolean;

  @List(Text({ maxLength: 1000 }), { optional: true, commaSeparated: true })
  tag_list?: string[];

  @Flag({ optional: true })
  run_untagged?: boolean;

  @Flag({ optional: true, description: 'It cannot be assigned to other projects' })
  locked?: boolean;

  @OneOf(RUNNER_ACCESS_LEVELS, { optional: true })
  access_level?: Runner['accessLevel'];

  @Integer({
    optional: true,
    nullable: true,
    min: -2_147_483_648,
    max: 2_147_483_647,
    description: 'Seconds, at least 600',
  })
  maximum_timeout?: number | null;

  @Text({ optional: true, nullable: true, maxLength: MAX_NOTE })
  maintenance_note?: string | null;
}

/** Parameters of an update of a runner. */
export class UpdateRunnerParams extends RunnerAttributesParams {
  @Id()
  id!: number;

  @Flag({ optional: true, deprecated: GOING_WITH_V5, description: 'The opposite of paused' })
  active?: boolean;
}

/** `POST /user/runners`. */
export class CreateRunnerParams extends RunnerAttributesParams {
  @OneOf(RUNNER_TYPES)
  runner_type!: RunnerType;

  @Id({ optional: true, description: 'Of a runner of a group' })
  group_id?: number;

  @Id({ optional: true, description: 'Of a runner of a project' })
  project_id?: number;
}

/** Filters and order of the jobs of a runner. */
export class ListRunnerJobsParams extends FindRunnerParams {
  @OneOf(JOB_STATUSES, { optional: true })
  status?: (typeof JOB_STATUSES)[number];

  @OneOf(['id'], { optional: true })
  order_by?: 'id';

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: desc' })
  sort?: 'asc' | 'desc';
}

/** Parameters of a runner to assign to a project, or to unassign. */
export class NameRunnerParams {
  @Id()
  runner_id!: number;
}
