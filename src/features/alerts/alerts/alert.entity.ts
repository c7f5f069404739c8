import { Column, Entity, type ValueTransformer } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import { ALERT_SEVERITIES, ALERT_STATUSES, type AlertSeverity, type AlertStatus } from '../alert-values.js';

/** The column counts the words. */
const counted = (words: readonly string[]): ValueTransformer => ({
  from: (index: number) => words[index],
  to: (word: unknown) => (typeof word === 'string' ? words.indexOf(word) : word),
});

/** Something that a monitoring tool has told of, as often as it has. */
@Entity('alerts')
export class Alert extends BaseEntity {
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'bigint' })
  iid!: number;

  @Column({ type: 'bigint', nullable: true })
  integrationId!: number | null;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'smallint', transformer: counted(ALERT_SEVERITIES) })
  severity!: AlertSeverity;

  @Column({ type: 'smallint', transformer: counted(ALERT_STATUSES) })
  status!: AlertStatus;

  /** At most one open alert of a project has it; null where repetitions do not fall together. */
  @Column({ type: 'bytea', nullable: true })
  groupKey!: Buffer | null;

  /** The resolution of something that was not known. */
  @Column({ type: 'boolean' })
  stray!: boolean;

  @Column({ type: 'timestamptz' })
  startedAt!: Date;

  /** Set exactly while it is resolved. */
  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  @Column({ type: 'bigint', nullable: true })
  issueId!: number | null;

  /** May be large: read where it is asked for. */
  @Column({ type: 'json', select: false })
  payload!: unknown;
}
