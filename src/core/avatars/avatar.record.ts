import { Text } from '#kernel/http/fields/scalar-fields.js';

/** URL of an avatar. */
export class AvatarRecord {
  @Text({ nullable: true })
  avatar_url!: string | null;
}
