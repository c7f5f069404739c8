import { List, ListOf } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';
import { isoTimeOrNull } from '#kernel/http/times.js';
import {
  presentRunnerBasic,
  RunnerBasicRecord,
  type RunnerBasicRow,
} from '#core/ci/runners/runner-basic.record.js';
import { RUNNER_ACCESS_LEVELS, type Runner } from '#core/ci/runners/runner.entity.js';
import { GroupBasicRecord } from '#core/groups/group.record.js';
import { ProjectBasicRecord } from '#core/projects/records/project-basic.record.js';

/** A project of a runner. */
export class RunnerProjectRecord extends ProjectBasicRecord {}

/** The group of a runner. */
export class RunnerGroupRecord extends GroupBasicRecord {}

/** All attributes of a runner except its token. */
export class RunnerDetailRecord extends RunnerBasicRecord {
  @List(Text())
  tag_list!: string[];

  @Flag()
  run_untagged!: boolean;

  @Flag()
  locked!: boolean;

  @Count({ nullable: true, description: 'Seconds' })
  maximum_timeout!: number | null;

  @OneOf(RUNNER_ACCESS_LEVELS)
  access_level!: Runner['accessLevel'];

  @Text({ nullable: true })
  version!: string | null;

  @Text({ nullable: true })
  revision!: string | null;

  @Text({ nullable: true })
  platform!: string | null;

  @Text({ nullable: true })
  architecture!: string | null;

  @IsoTime({ nullable: true })
  contacted_at!: string | null;

  @Text({ nullable: true, description: 'Null for users who may not change the runner' })
  maintenance_note!: string | null;

  @ListOf(() => RunnerProjectRecord, {
    description: 'Of a runner of projects: those that the caller has a role in',
  })
  projects!: RunnerProjectRecord[];

  @ListOf(() => RunnerGroupRecord)
  groups!: RunnerGroupRecord[];
}

/** Row of a runner in lists. */
export interface RunnerRow extends RunnerBasicRow {
  readonly id: number;
}

/** Row of a runner's details. */
export interface RunnerDetailRow
  extends
    RunnerRow,
    Pick<
      RunnerDetailRecord,
      | 'tag_list'
      | 'run_untagged'
      | 'locked'
      | 'maximum_timeout'
      | 'access_level'
      | 'version'
      | 'revision'
      | 'platform'
      | 'architecture'
      | 'maintenance_note'
      | 'projects'
    > {
  readonly contacted_at: Date | null;
  /** Whether the caller manages it. */
  readonly managed: boolean;
  readonly groups: readonly { readonly id: number; readonly name: string; readonly full_path: string }[];
}

/** Presents a runner in lists. */
export function presentRunner(row: RunnerRow): RunnerBasicRecord {
  const record = presentRunnerBasic(row);
  if (!record) throw new Error('A row of a runner has no runner');
  return record;
}

/** Presents a runner with details. */
export const presentRunnerDetail = (row: RunnerDetailRow, links: Links): RunnerDetailRecord =>
  Object.assign(presentRunner(row), {
    tag_list: row.tag_list,
    run_untagged: row.run_untagged,
    locked: row.locked,
    maximum_timeout: row.maximum_timeout,
    access_level: row.access_level,
    version: row.version,
    revision: row.revision,
    platform: row.platform,
    architecture: row.architecture,
    contacted_at: isoTimeOrNull(row.contacted_at),
    maintenance_note: row.managed ? row.maintenance_note : null,
    projects: row.projects,
    groups: row.groups.map(({ id, name, full_path: path }) => ({ id, web_url: links.group(path), name })),
  });
