/** A user as returned by any route. */
export interface UserBody {
  id: number;
  username: string;
  name: string;
  state: string;
  [field: string]: unknown;
}

/** Attributes for creating a user, all derived from one name. */
export const validUser = (name: string): Record<string, unknown> => ({
  username: name,
  name: `Name of ${name}`,
  email: `${name}@example.com`,
  password: 'a-fine-password',
});

/** The names of a body's fields, in alphabetical order. */
export const keysOf = (body: unknown): string[] => Object.keys(body as object).sort();

/** Fields of the summary. */
export const BASIC = ['avatar_url', 'id', 'name', 'state', 'username', 'web_url'];

/** Fields of a profile. */
export const PROFILE = [
  ...BASIC,
  ...[
    'bio',
    'bot',
    'created_at',
    'discord',
    'followers',
    'following',
    'is_followed',
    'job_title',
    'linkedin',
  ],
  ...[
    'local_time',
    'location',
    'organization',
    'pronouns',
    'public_email',
    'skype',
    'twitter',
    'website_url',
  ],
  'work_information',
];

/** Fields of the signed-in user. */
export const CURRENT = [
  ...PROFILE,
  ...['can_create_group', 'can_create_project', 'color_scheme_id', 'commit_email', 'confirmed_at'],
  ...['current_sign_in_at', 'email', 'external', 'extra_shared_runners_minutes_limit', 'identities'],
  ...[
    'last_activity_on',
    'last_sign_in_at',
    'private_profile',
    'projects_limit',
    'shared_runners_minutes_limit',
  ],
  ...['theme_id', 'two_factor_enabled'],
];

/** Fields that administrators see in lists. */
export const ADMIN = [
  ...CURRENT,
  ...['created_by', 'email_reset_offered_at', 'is_admin', 'is_auditor', 'namespace_id', 'note'],
  ...['provisioned_by_group_id', 'using_license_seat'],
];

/** Fields of one user that administrators see. */
export const DETAIL = [
  ...ADMIN,
  ...['current_sign_in_ip', 'highest_role', 'last_sign_in_ip', 'plan', 'sign_in_count', 'trial'],
];

/** A copy in alphabetical order. */
export const sorted = (names: readonly string[]): string[] => [...names].sort();
