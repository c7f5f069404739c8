import { Count, Id, IsoDate } from '#kernel/http/fields/scalar-fields.js';

/** A share of a project with a group. */
export class ProjectShareRecord {
  @Id()
  id!: number;

  @Id()
  project_id!: number;

  @Id()
  group_id!: number;

  @Count()
  group_access!: number;

  @IsoDate({ nullable: true })
  expires_at!: string | null;
}
