/** States of an account; only `active` users can sign in. */
export const USER_STATES = [
  'active',
  'blocked',
  'ldap_blocked',
  'blocked_pending_approval',
  'deactivated',
  'banned',
] as const;

/** State of an account. */
export type UserState = (typeof USER_STATES)[number];

/** Type of an account. */
export type UserType = 'human' | 'project_bot' | 'group_bot' | InternalType;

/** Internal users of the product, which cannot sign in and cannot be removed. */
export const INTERNAL_TYPES = ['ghost', 'alert_bot'] as const;

/** Type of an internal user. */
export type InternalType = (typeof INTERNAL_TYPES)[number];

/** Returns whether this is the type of an internal user. */
export const isInternalType = (type: string): type is InternalType =>
  (INTERNAL_TYPES as readonly string[]).includes(type);

/** Returns whether this is the type of the bot of a project or group token. */
export const isBotType = (type: string): boolean => type === 'project_bot' || type === 'group_bot';

/** Identity of a user at an external provider. */
export interface UserIdentity {
  readonly provider: string;
  readonly extern_uid: string;
}

/** Status message that a user has set. */
export interface UserStatus {
  readonly emoji: string;
  readonly message: string | null;
  readonly availability: 'busy' | 'not_set';
  /** ISO 8601; the status ends at this time. */
  readonly clear_status_at: string | null;
}
