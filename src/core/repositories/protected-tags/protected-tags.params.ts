import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { AllowedTo, MAX_ALLOWED } from '../protection/allowed-to.params.js';
import { PROTECTION_LEVELS, type ProtectionLevel } from '../protection/protected-ref-access-level.record.js';

/** Path parameters of a protected tag. */
export class FindProtectedTagParams {
  @Text({ maxLength: 255, description: 'Name or pattern, encoded for a URL' })
  name!: string;
}

/** Parameters for protecting a tag or pattern. */
export class CreateProtectedTagParams extends FindProtectedTagParams {
  @OneOf(PROTECTION_LEVELS, { optional: true, description: 'Lowest role that may create it; default 40' })
  create_access_level?: ProtectionLevel;

  @ListOf(() => AllowedTo, { optional: true, maxItems: MAX_ALLOWED, description: 'On the premium plan' })
  allowed_to_create?: AllowedTo[];
}
