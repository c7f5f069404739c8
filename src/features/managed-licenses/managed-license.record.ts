import { Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Decisions about a license. */
export const APPROVAL_STATUSES = ['allowed', 'denied'] as const;

/** Decision about a license. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** A software license that a project allows or denies. */
export class ManagedLicenseRecord {
  @Id()
  id!: number;

  @Text({ example: 'MIT' })
  name!: string;

  @OneOf(APPROVAL_STATUSES)
  approval_status!: ApprovalStatus;
}
