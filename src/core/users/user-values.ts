/** Every state of an account; all but `active` keep the user out. */
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

/** What kind of account it is. */
export type UserType = 'human' | 'project_bot' | 'group_bot' | InternalType;

/** Kinds that are the product's own: nobody signs in as one, and they are there to stay. */
export const INTERNAL_TYPES = ['ghost', 'alert_bot'] as const;

/** Type of an internal account. */
export type InternalType = (typeof INTERNAL_TYPES)[number];

/** Whether an account is one of the product's own. */
export const isInternalType = (type: string): type is InternalType =>
  (INTERNAL_TYPES as readonly string[]).includes(type);

/** The user's name at a provider of identities. */
export interface UserIdentity {
  readonly provider: string;
  readonly extern_uid: string;
}

/** What the user says of themselves at the moment. */
export interface UserStatus {
  readonly emoji: string;
  readonly message: string | null;
  readonly availability: 'busy' | 'not_set';
  /** ISO 8601; from then on there is no status. */
  readonly clear_status_at: string | null;
}
