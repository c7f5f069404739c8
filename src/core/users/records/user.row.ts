import type { UserBasicRow, PrefixedUser } from './user-basic.record.js';
import type { UserIdentity, UserState, UserStatus, UserType } from '../user-values.js';

/** Row of a user, with counts. */
export interface UserRow extends UserBasicRow, PrefixedUser<'creator_'> {
  readonly state: UserState;
  readonly email: string;
  readonly user_type: UserType;
  readonly admin: boolean;
  readonly external: boolean;
  readonly confirmed_at: Date | null;
  readonly public_email: string;
  readonly commit_email: string | null;
  readonly bio: string;
  readonly location: string;
  readonly skype: string;
  readonly linkedin: string;
  readonly twitter: string;
  readonly discord: string;
  readonly website_url: string;
  readonly organization: string;
  readonly job_title: string;
  readonly pronouns: string | null;
  readonly note: string | null;
  readonly private_profile: boolean;
  readonly theme_id: number;
  readonly color_scheme_id: number;
  readonly projects_limit: number;
  readonly can_create_group: boolean;
  readonly two_factor_enabled: boolean;
  readonly identities: readonly UserIdentity[];
  readonly status: UserStatus | null;
  readonly sign_in_count: number;
  readonly current_sign_in_at: Date | null;
  readonly last_sign_in_at: Date | null;
  readonly current_sign_in_ip: string | null;
  readonly last_sign_in_ip: string | null;
  readonly last_activity_on: string | null;
  readonly created_at: Date;
  readonly namespace_id: number | null;
  readonly is_followed: boolean;
  readonly followers: number;
  readonly following: number;
  /** Number of projects in the user's own namespace. */
  readonly owned_projects: number;
  /** Highest access level of all memberships. */
  readonly highest_role: number;
}
