import { Flag, Id, OneOf } from '#kernel/http/fields/scalar-fields.js';
import { PROTECTION_LEVELS, type ProtectionLevel } from './protected-ref-access-level.record.js';

/** Limit of holders of each right in a protection, and in a request: a protection is always shown whole. */
export const MAX_ALLOWED = 100;

/**
 * A holder of a right: exactly one of user, group and level; with `id`, an existing right to change or
 * remove.
 */
export class AllowedTo {
  @Id({ optional: true, min: 1, description: 'Id of an existing right' })
  id?: number;

  @Id({ optional: true, min: 1 })
  user_id?: number;

  @Id({ optional: true, min: 1 })
  group_id?: number;

  @OneOf(PROTECTION_LEVELS, { optional: true })
  access_level?: ProtectionLevel;

  @Flag({ optional: true, as: '_destroy', description: 'Remove the right with this id' })
  destroy?: boolean;
}
