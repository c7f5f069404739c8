import { Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { VARIABLE_TYPES, type Variable, type VariableType } from './variable.entity.js';

/** A variable of the instance. */
export class InstanceVariableRecord {
  @OneOf(VARIABLE_TYPES)
  variable_type!: VariableType;

  @Text()
  key!: string;

  @Text({ nullable: true, description: 'null for tokens that only read, and when it cannot be decrypted' })
  value!: string | null;

  @Flag({ description: 'Only for jobs of protected branches and tags' })
  protected!: boolean;

  @Flag({ description: 'Hidden in the output of jobs' })
  masked!: boolean;

  @Flag({ description: 'References to other variables in it are not expanded' })
  raw!: boolean;

  @Text({ nullable: true })
  description!: string | null;
}

/** A variable of a project or group. */
export class VariableRecord extends InstanceVariableRecord {
  @Text({ example: 'review/*' })
  environment_scope!: string;
}

/** Row of a variable record. */
export type VariableRow = Pick<
  Variable,
  | 'id'
  | 'ownerType'
  | 'ownerId'
  | 'key'
  | 'value'
  | 'variableType'
  | 'protected'
  | 'masked'
  | 'raw'
  | 'environmentScope'
  | 'description'
>;

/** Select list of a `VariableRow`, of `ci_variables v`. */
export const VARIABLE_COLUMNS = `v.id, v.owner_type as "ownerType", v.owner_id as "ownerId", v.key, v.value, v.variable_type as "variableType",
  v.protected, v.masked, v.raw, v.environment_scope as "environmentScope", v.description`;

/** Presents a variable of the instance, with its plain value. */
export const presentInstanceVariable = (row: VariableRow, value: string | null): InstanceVariableRecord => ({
  variable_type: row.variableType,
  key: row.key,
  value,
  protected: row.protected,
  masked: row.masked,
  raw: row.raw,
  description: row.description,
});

/** Presents a variable of a project or group, with its plain value. */
export const presentVariable = (row: VariableRow, value: string | null): VariableRecord =>
  Object.assign(presentInstanceVariable(row, value), { environment_scope: row.environmentScope });
