import { Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTime, isoTimeOrNull } from '#kernel/http/times.js';
import { RUNNER_CONTACTS, type RunnerContact } from '#core/ci/runners/runner-basic.record.js';

/** A machine that uses the token of a runner. */
export class RunnerManagerRecord {
  @Id()
  id!: number;

  @Text()
  system_id!: string;

  @Text({ nullable: true })
  version!: string | null;

  @Text({ nullable: true })
  revision!: string | null;

  @Text({ nullable: true })
  platform!: string | null;

  @Text({ nullable: true })
  architecture!: string | null;

  @IsoTime()
  created_at!: string;

  @IsoTime({ nullable: true })
  contacted_at!: string | null;

  @Text({ description: 'Always empty' })
  ip_address!: string;

  @OneOf(RUNNER_CONTACTS)
  status!: RunnerContact;
}

/** Row of a machine. */
export interface RunnerManagerRow extends Omit<
  RunnerManagerRecord,
  'created_at' | 'contacted_at' | 'ip_address'
> {
  readonly created_at: Date;
  readonly contacted_at: Date | null;
}

/** Presents a machine. */
export const presentRunnerManager = (row: RunnerManagerRow): RunnerManagerRecord => ({
  ...row,
  created_at: isoTime(row.created_at),
  contacted_at: isoTimeOrNull(row.contacted_at),
  ip_address: '',
});
