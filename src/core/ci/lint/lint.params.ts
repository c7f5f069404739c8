import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** Options of a check. */
class LintOptionsParams {
  @Flag({ optional: true, description: 'Whether to determine the jobs that a push would create' })
  dry_run?: boolean;

  @Flag({ optional: true })
  include_jobs?: boolean;

  @Text({
    optional: true,
    maxLength: 255,
    description: 'Branch or tag of the dry run; default: the default branch',
  })
  ref?: string;
}

/** Parameters for checking a text. */
export class LintTextParams extends LintOptionsParams {
  @Text({
    blank: true,
    maxLength: 1_048_576,
    description: 'The configuration, in YAML',
    example: 'build: { script: [make] }',
  })
  content!: string;
}

/** Parameters for checking the configuration of a commit. */
export class LintCommitParams extends LintOptionsParams {
  @Text({ optional: true, maxLength: 255, description: 'Commit, branch or tag; default: the default branch' })
  content_ref?: string;

  @Text({ optional: true, maxLength: 255, description: 'The same under its former name' })
  sha?: string;

  @Text({ optional: true, maxLength: 255, description: 'The same as ref' })
  dry_run_ref?: string;
}
