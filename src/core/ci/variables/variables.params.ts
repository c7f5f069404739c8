import { Matches } from 'class-validator';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { VARIABLE_TYPES, type VariableType } from './variable.entity.js';

const KEY_TEXT = "can contain only letters, digits and '_'.";
const SCOPE = /^[a-zA-Z0-9_/\\${}. *-]+$/;
const SCOPE_TEXT = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces";
const MAX_VALUE = 10_000;

/** Attributes of a variable besides key and value. */
export class VariableAttributesParams {
  @OneOf(VARIABLE_TYPES, { optional: true })
  variable_type?: VariableType;

  @Flag({ optional: true })
  protected?: boolean;

  @Flag({ optional: true, description: 'Only for values that can be found in the output of jobs' })
  masked?: boolean;

  @Flag({ optional: true })
  raw?: boolean;

  @Text({ optional: true, nullable: true, maxLength: 255 })
  description?: string | null;
}

/** Parameters of a new variable of the instance. */
export class CreateInstanceVariableParams extends VariableAttributesParams {
  @Matches(/^[a-zA-Z0-9_]+$/, { message: KEY_TEXT })
  @Text({ maxLength: 255 })
  key!: string;

  @Text({ maxLength: MAX_VALUE, blank: true })
  value!: string;
}

/** Parameters of a new variable of a project or group. */
export class CreateVariableParams extends CreateInstanceVariableParams {
  @Matches(SCOPE, { message: SCOPE_TEXT })
  @Text({
    optional: true,
    blank: false,
    maxLength: 255,
    description: 'Default: *; in groups, on the premium plan',
  })
  environment_scope?: string;
}

/** Path parameters of a variable of the instance. */
export class FindInstanceVariableParams {
  @Text({ maxLength: 255 })
  key!: string;
}

/** Selects one of several variables with the same key. */
export class VariableFilter {
  @Text({ optional: true, maxLength: 255 })
  environment_scope?: string;
}

/** Path parameters of a variable of a project or group. */
export class FindVariableParams extends FindInstanceVariableParams {
  @Nested(() => VariableFilter, { optional: true, description: 'Required if several have the key' })
  filter?: VariableFilter;
}

/** Changes to a variable of the instance. */
export class UpdateInstanceVariableParams extends VariableAttributesParams {
  @Text({ maxLength: 255 })
  key!: string;

  @Text({ optional: true, maxLength: MAX_VALUE, blank: true })
  value?: string;
}

/** Changes to a variable of a project or group. */
export class UpdateVariableParams extends UpdateInstanceVariableParams {
  @Matches(SCOPE, { message: SCOPE_TEXT })
  @Text({ optional: true, blank: false, maxLength: 255, description: 'On the premium plan in groups' })
  environment_scope?: string;

  @Nested(() => VariableFilter, { optional: true, description: 'Required if several have the key' })
  filter?: VariableFilter;
}
