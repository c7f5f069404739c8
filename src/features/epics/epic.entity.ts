import { Column, Entity } from 'typeorm';
import { IssuableEntity } from '#core/issuables/issuable.entity.js';

/** A larger piece of work of a group, with issues of its projects. */
@Entity('epics')
export class Epic extends IssuableEntity {
  @Column({ type: 'bigint' })
  groupId!: number;

  @Column({ type: 'text', default: 'opened' })
  state!: 'opened' | 'closed';

  /** The parent epic, of the same group or one above. */
  @Column({ type: 'bigint', nullable: true })
  parentId!: number | null;

  /** Visible only to Reporters of the group and above. */
  @Column({ type: 'boolean', default: false })
  confidential!: boolean;

  @Column({ type: 'date', nullable: true })
  startDateFixed!: string | null;

  /** Otherwise it starts with the earliest milestone of its issues. */
  @Column({ type: 'boolean', default: false })
  startDateIsFixed!: boolean;

  @Column({ type: 'date', nullable: true })
  dueDateFixed!: string | null;

  /** Otherwise it ends with the latest milestone of its issues. */
  @Column({ type: 'boolean', default: false })
  dueDateIsFixed!: boolean;
}
