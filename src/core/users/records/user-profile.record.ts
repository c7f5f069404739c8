import { Flag, IsoTime } from '#kernel/http/fields/scalar-fields.js';
import { UserExtendedRecord } from './user-extended.record.js';

/** A single user for callers who may see the profile. */
export class UserProfileRecord extends UserExtendedRecord {
  @IsoTime()
  override created_at!: string;

  @Flag()
  is_followed!: boolean;
}
