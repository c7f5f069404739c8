import { Flag, Id } from '#kernel/http/fields/scalar-fields.js';

/** `PATCH /projects/:id/job_token_scope`. */
export class ChangeJobTokenScopeParams {
  @Flag({ description: 'Whether jobs of other projects have access only if they are on the list' })
  enabled!: boolean;
}

/** Parameters of a project to add to the list, or to remove from it. */
export class NameTargetProjectParams {
  @Id({ min: 0 })
  target_project_id!: number;
}
