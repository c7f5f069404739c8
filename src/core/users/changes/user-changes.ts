import type { User } from '../user.entity.js';
import type { UserAttributesParams } from './users.params.js';
import type { UserIdentity } from '../user-values.js';

/** Attributes that are stored unchanged, with their property names. */
const PLAIN = {
  admin: 'admin',
  can_create_group: 'canCreateGroup',
  external: 'external',
  projects_limit: 'projectsLimit',
  bio: 'bio',
  location: 'location',
  public_email: 'publicEmail',
  skype: 'skype',
  linkedin: 'linkedin',
  twitter: 'twitter',
  discord: 'discord',
  website_url: 'websiteUrl',
  organization: 'organization',
  job_title: 'jobTitle',
  pronouns: 'pronouns',
  note: 'note',
  theme_id: 'themeId',
  color_scheme_id: 'colorSchemeId',
} as const satisfies Partial<Record<keyof UserAttributesParams, keyof User>>;

/** Returns the column changes for the attributes. */
export function columnsOf(
  attributes: UserAttributesParams,
  identities: readonly UserIdentity[],
): Partial<User> {
  const columns: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(PLAIN)) {
    const value = attributes[name as keyof typeof PLAIN];
    if (value !== undefined) columns[property] = value;
  }
  const { private_profile: isPrivate, commit_email: commitEmail, provider, extern_uid: uid } = attributes;
  if (isPrivate !== undefined) columns['privateProfile'] = isPrivate ?? false;
  if (commitEmail !== undefined) columns['commitEmail'] = commitEmail === '' ? null : commitEmail;
  if (provider !== undefined && provider !== '' && uid !== undefined)
    columns['identities'] = [
      ...identities.filter((one) => one.provider !== provider),
      { provider, extern_uid: uid },
    ];
  return columns;
}

/** Rights that a user loses on becoming external, unless the request sets them. */
export function limitsOfExternal(attributes: UserAttributesParams): Partial<User> {
  return {
    ...(attributes.can_create_group === undefined ? { canCreateGroup: false } : {}),
    ...(attributes.projects_limit === undefined ? { projectsLimit: 0 } : {}),
  };
}
