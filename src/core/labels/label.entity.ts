import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** A label of a project or of a group. */
@Entity('labels')
export class Label extends BaseEntity {
  /** Null for a label of a group. */
  @Column({ type: 'bigint', nullable: true })
  projectId!: number | null;

  /** Null for a label of a project. */
  @Column({ type: 'bigint', nullable: true })
  groupId!: number | null;

  @Column({ type: 'text' })
  title!: string;

  /** `#` and three or six hexadecimal digits. */
  @Column({ type: 'text' })
  color!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;
}
