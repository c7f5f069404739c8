import { Column, Entity, type ValueTransformer } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import { ALERT_SEVERITIES, ALERT_STATUSES, type AlertSeverity, type AlertStatus } from '../alert-values.js';

/** The column stores the index of the word. */
const counted = (words: readonly string[]): ValueTransformer => ({
  from: (index: number) => words[index],
  to: (word: unknown) => (typeof word === 'string' ? words.indexOf(word) : word),
});

/** An alert reported by a monitoring tool, with its repetitions. */
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

  /** Key of grouping, unique among open alerts of a project; null without grouping. */
  @Column({ type: 'bytea', nullable: true })
  groupKey!: Buffer | null;

  /** A resolution without a known alert. */
  @Column({ type: 'boolean' })
  stray!: boolean;

  @Column({ type: 'timestamptz' })
  startedAt!: Date;

  /** Set only while it is resolved. */
  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  @Column({ type: 'bigint', nullable: true })
  issueId!: number | null;

  /** May be large: read only on request. */
  @Column({ type: 'json', select: false })
  payload!: unknown;
}
