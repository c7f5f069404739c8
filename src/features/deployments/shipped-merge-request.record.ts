import { Integer, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** A merge request that a deployment shipped, in its simple view. */
export class ShippedMergeRequestRecord {
  @Integer()
  id!: number;

  @Integer()
  iid!: number;

  @Integer()
  project_id!: number;

  @Text()
  title!: string;

  @Text({ nullable: true })
  description!: string | null;

  @OneOf(['opened', 'closed', 'locked', 'merged'])
  state!: string;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @Text()
  web_url!: string;
}
