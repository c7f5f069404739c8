import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { APPROVAL_STATUSES, type ApprovalStatus } from './managed-license.record.js';

/** Names in older clients. */
const OLD_NAMES = { approved: 'allowed', blacklisted: 'denied' } as const;

const SPELLINGS = [...APPROVAL_STATUSES, 'approved', 'blacklisted'] as const;
type Spelling = (typeof SPELLINGS)[number];

/** Returns the status for a spelling. */
export const statusOf = (spelling: Spelling): ApprovalStatus =>
  spelling === 'approved' || spelling === 'blacklisted' ? OLD_NAMES[spelling] : spelling;

/** Path parameters of a license. */
export class FindManagedLicenseParams {
  @Text({ maxLength: 255, description: 'Id or name' })
  managed_license_id!: string;
}

/** Parameters of a new license. */
export class CreateManagedLicenseParams {
  @Text({ maxLength: 255, blank: false, trim: true, example: 'MIT' })
  name!: string;

  @OneOf(SPELLINGS, { description: 'approved and blacklisted are older names of allowed and denied' })
  approval_status!: Spelling;
}

/** Parameters of an update of a license. */
export class UpdateManagedLicenseParams extends FindManagedLicenseParams {
  @OneOf(SPELLINGS, { description: 'approved and blacklisted are older names of allowed and denied' })
  approval_status!: Spelling;
}
