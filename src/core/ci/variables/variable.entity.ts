import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** How jobs get a variable: as it is, or as the path of a file with the value. */
export const VARIABLE_TYPES = ['env_var', 'file'] as const;

/** How jobs get a variable. */
export type VariableType = (typeof VARIABLE_TYPES)[number];

/** To whom a variable belongs. */
export type VariableOwner = 'Instance' | 'Group' | 'Project';

/** Something that the jobs of a project, of a group or of all projects are told. */
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

  /** Only for jobs of protected branches and tags. */
  @Column({ type: 'boolean', default: false })
  protected!: boolean;

  @Column({ type: 'boolean', default: false })
  masked!: boolean;

  @Column({ type: 'boolean', default: false })
  raw!: boolean;

  /** Names of the environments whose jobs get it; `*` stands for any characters, alone for all jobs. */
  @Column({ type: 'text', default: '*' })
  environmentScope!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;
}
