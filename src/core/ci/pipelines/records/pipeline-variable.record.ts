import { Flag, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import type { CiVariable } from '../../jobs/definition/job-definition.js';

/** A variable that a user gave to a pipeline. */
export class PipelineVariableRecord {
  @OneOf(['env_var', 'file'])
  variable_type!: 'env_var' | 'file';

  @Text()
  key!: string;

  @Text({ nullable: true, description: 'null for tokens that only read' })
  value!: string | null;

  @Flag({ description: 'The value is not expanded' })
  raw!: boolean;
}

/** Presents a variable, with its value if the caller may see it. */
export const presentPipelineVariable = (
  { key, value, file, raw }: CiVariable,
  isShown: boolean,
): PipelineVariableRecord => ({
  variable_type: file ? 'file' : 'env_var',
  key,
  value: isShown ? value : null,
  raw: raw ?? false,
});
