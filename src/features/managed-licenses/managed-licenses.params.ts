import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { APPROVAL_STATUSES, type ApprovalStatus } from './managed-license.record.js';

/** What older clients call them. */
const OLD_NAMES = { approved: 'allowed', blacklisted: 'denied' } as const;

const SPELLINGS = [...APPROVAL_STATUSES, 'approved', 'blacklisted'] as const;
type Spelling = (typeof SPELLINGS)[number];

/** The status that a spelling means. */
export const statusOf = (spelling: Spelling): ApprovalStatus =>
  spelling === 'approved' || spelling === 'blacklisted' ? OLD_NAMES[spelling] : spelling;

/** One license of a project. */
export class FindManagedLicenseParams {
  @Text({ maxLength: 255, description: 'Id or name' })
  managed_license_id!: string;
}

/** A license that nothing is said of yet. */
export class CreateManagedLicenseParams {
  @Text({ maxLength: 255, blank: false, trim: true, example: 'MIT' })
  name!: string;

  @OneOf(SPELLINGS, { description: 'approved and blacklisted are older names of allowed and denied' })
  approval_status!: Spelling;
}

/** Another status of a license. */
export class UpdateManagedLicenseParams extends FindManagedLicenseParams {
  @OneOf(SPELLINGS, { description: 'approved and blacklisted are older names of allowed and denied' })
  approval_status!: Spelling;
}
