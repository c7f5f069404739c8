import { Column, Entity } from 'typeorm';
import { IssuableEntity } from '#core/issuables/issuable.entity.js';

/** A larger piece of work of a group, which issues of its projects belong to. */
@Entity('epics')
export class Epic extends IssuableEntity {
  @Column({ type: 'bigint' })
  groupId!: number;

  @Column({ type: 'text', default: 'opened' })
  state!: 'opened' | 'closed';

  /** The epic above it: of the same group, or of one above that. */
  @Column({ type: 'bigint', nullable: true })
  parentId!: number | null;

  /** Only for Reporters of the group and above. */
  @Column({ type: 'boolean', default: false })
  confidential!: boolean;

  @Column({ type: 'date', nullable: true })
  startDateFixed!: string | null;

  /** Otherwise it starts with the first milestone of its issues. */
  @Column({ type: 'boolean', default: false })
  startDateIsFixed!: boolean;

  @Column({ type: 'date', nullable: true })
  dueDateFixed!: string | null;

  /** Otherwise it ends with the last milestone of its issues. */
  @Column({ type: 'boolean', default: false })
  dueDateIsFixed!: boolean;
}
