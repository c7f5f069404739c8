import { Count, Flag, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Links } from '#kernel/http/links.js';
import { UserBasicRecord, presentUserIn, type PrefixedUser } from './user-basic.record.js';
import { followsSql } from './follows.sql.js';
import { userColumns } from './user-basic.sql.js';

/** The user that jobs embed (`api-v4.md` 2.1, extended); only the short form of a private profile. */
export class UserExtendedRecord extends UserBasicRecord {
  @IsoTime({ nullable: true, description: 'Null for a private profile' })
  created_at!: string | null;

  @Text()
  bio!: string;

  @Text()
  location!: string;

  @Text()
  public_email!: string;

  @Text()
  skype!: string;

  @Text()
  linkedin!: string;

  @Text()
  twitter!: string;

  @Text()
  discord!: string;

  @Text()
  website_url!: string;

  @Text()
  organization!: string;

  @Text()
  job_title!: string;

  @Text({ nullable: true })
  pronouns!: string | null;

  @Flag()
  bot!: boolean;

  @Text({ nullable: true, description: 'Job title and organization in one line' })
  work_information!: string | null;

  @Count()
  followers!: number;

  @Count()
  following!: number;

  @Text({ nullable: true })
  local_time!: string | null;
}

/** Row of a `UserExtendedRecord`. */
export interface UserExtendedRow extends PrefixedUser<'u_'> {
  readonly u_user_type: string;
  readonly u_private_profile: boolean;
  readonly u_created_at: string;
  readonly u_bio: string;
  readonly u_location: string;
  readonly u_public_email: string;
  readonly u_skype: string;
  readonly u_linkedin: string;
  readonly u_twitter: string;
  readonly u_discord: string;
  readonly u_website_url: string;
  readonly u_organization: string;
  readonly u_job_title: string;
  readonly u_pronouns: string | null;
  readonly u_followers: number;
  readonly u_following: number;
}

const SAME = [
  'user_type',
  'private_profile',
  'bio',
  'location',
  'public_email',
  'skype',
  'linkedin',
  'twitter',
  'discord',
  'website_url',
  'organization',
  'job_title',
  'pronouns',
] as const;

/** Select list of a `UserExtendedRow`, for a user `u`. */
export const USER_EXTENDED_COLUMNS = `${userColumns('u', 'u_')}, ${SAME.map((name) => `u.${name} as u_${name}`).join(', ')},
  ${isoTimeSql('u.created_at')} as u_created_at,
  ${followsSql('u', 'followers')} as u_followers,
  ${followsSql('u', 'following')} as u_following`;

/** Presents the user of a row, or null if there is none. */
export function presentUserExtended(row: UserExtendedRow, links: Links): UserExtendedRecord | null {
  const summary = presentUserIn(row, 'u_', links);
  if (summary === null) return null;
  const isOpen = !row.u_private_profile;
  const told = (text: string): string => (isOpen ? text : '');
  return Object.assign(summary, {
    created_at: isOpen ? row.u_created_at : null,
    bio: told(row.u_bio),
    location: told(row.u_location),
    public_email: told(row.u_public_email),
    skype: told(row.u_skype),
    linkedin: told(row.u_linkedin),
    twitter: told(row.u_twitter),
    discord: told(row.u_discord),
    website_url: told(row.u_website_url),
    organization: told(row.u_organization),
    job_title: told(row.u_job_title),
    pronouns: isOpen ? row.u_pronouns : null,
    bot: row.u_user_type.endsWith('_bot'),
    work_information: isOpen ? workInformation(row.u_job_title, row.u_organization) : null,
    followers: isOpen ? row.u_followers : 0,
    following: isOpen ? row.u_following : 0,
    local_time: null,
  });
}

/** Joins job title and organization in one line; null if both are empty. */
export function workInformation(title: string, organization: string): string | null {
  if (title !== '' && organization !== '') return `${title} at ${organization}`;
  return title || organization || null;
}
