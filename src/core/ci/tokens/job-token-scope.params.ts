import { Flag, Id } from '#kernel/http/fields/scalar-fields.js';

/** `PATCH /projects/:id/job_token_scope`. */
export class ChangeJobTokenScopeParams {
  @Flag({ description: 'Whether jobs of other projects must be on the list to be let in' })
  enabled!: boolean;
}

/** A project whose jobs are to be let in, or no longer. */
export class NameTargetProjectParams {
  @Id({ min: 0 })
  target_project_id!: number;
}
