import { Text } from '#kernel/http/fields/scalar-fields.js';

/** Where a picture lies. */
export class AvatarRecord {
  @Text({ nullable: true })
  avatar_url!: string | null;
}
