import { Id } from '#kernel/http/fields/scalar-fields.js';

/** Parameters of the issues or merge requests of a milestone. */
export class ListOfMilestoneParams {
  @Id({ min: 0 })
  milestone_id!: number;
}
