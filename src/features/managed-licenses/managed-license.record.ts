import { Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Whether software under a license is taken. */
export const APPROVAL_STATUSES = ['allowed', 'denied'] as const;

/** Whether software under a license is taken. */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** A license of software that a project allows or denies. */
export class ManagedLicenseRecord {
  @Id()
  id!: number;

  @Text({ example: 'MIT' })
  name!: string;

  @OneOf(APPROVAL_STATUSES)
  approval_status!: ApprovalStatus;
}
