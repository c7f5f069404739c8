import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Types of variables: a value, or the path of a file that contains the value. */
export const VARIABLE_TYPES = ['env_var', 'file'] as const;

/** Type of a variable. */
export type VariableType = (typeof VARIABLE_TYPES)[number];

/** Type of the owner of a variable. */
export type VariableOwner = 'Instance' | 'Group' | 'Project';

/** A CI variable of a project, a group or the instance. */
@Entity('ci_variables')
export class Variable extends BaseEntity {
  @Column({ type: 'text' })
  ownerType!: VariableOwner;

  @Column({ type: 'bigint' })
  ownerId!: number;

  @Column({ type: 'text' })
  key!: string;

  /** Sealed. */
  @Column({ type: 'text' })
  value!: string;

  @Column({ type: 'text', default: 'env_var' })
  variableType!: VariableType;

  /** Only for jobs of protected refs. */
  @Column({ type: 'boolean', default: false })
  protected!: boolean;

  @Column({ type: 'boolean', default: false })
  masked!: boolean;

  @Column({ type: 'boolean', default: false })
  raw!: boolean;

  /** Environments whose jobs receive the variable; `*` matches any characters, and alone all jobs. */
  @Column({ type: 'text', default: '*' })
  environmentScope!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;
}
