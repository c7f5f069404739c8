import { Integer, IsoDate } from '#kernel/http/fields/scalar-fields.js';

/** A share of a project with a group. */
export class ProjectShareRecord {
  @Integer()
  id!: number;

  @Integer()
  project_id!: number;

  @Integer()
  group_id!: number;

  @Integer()
  group_access!: number;

  @IsoDate({ nullable: true })
  expires_at!: string | null;
}
