import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Anything, Count, Flag, Id, IsoDate, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Actor } from '#kernel/access/caller.js';
import type { Links } from '#kernel/http/links.js';
import { isoTime } from '#kernel/http/times.js';
import { presentUserBasic, UserBasicRecord, presentUserIn } from '#core/users/records/user-basic.record.js';
import type { MemberRow } from './members.queries.js';

/** A member of a group or project (`auth-core.md` 6.5). */
export class MemberRecord extends UserBasicRecord {
  @Count({ description: '5 minimal, 10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner' })
  access_level!: number;

  @IsoTime()
  created_at!: string;

  @Nested(() => UserBasicRecord, { optional: true, description: 'User who added the member, if known' })
  created_by?: UserBasicRecord;

  @IsoDate({ nullable: true })
  expires_at!: string | null;

  @Text({ example: 'active' })
  membership_state!: string;

  @Text({
    optional: true,
    description:
      'The primary address to administrators and the member, the public one to others who are signed in',
  })
  email?: string;

  @Text({ optional: true, nullable: true, description: 'Premium: there is no single sign-on for groups' })
  group_saml_identity?: string | null;

  @Flag({ optional: true, description: 'With show_seat_info' })
  is_using_seat?: boolean;
}

/** Response to adding one member (the member) or several (the result of the list). */
export class AddedMembersRecord {
  @Id({ optional: true })
  id?: number;

  @Text({ optional: true })
  username?: string;

  @Text({ optional: true })
  name?: string;

  @Text({ optional: true })
  state?: string;

  @Text({ optional: true, nullable: true })
  avatar_url?: string | null;

  @Text({ optional: true })
  web_url?: string;

  @Count({ optional: true })
  access_level?: number;

  @IsoTime({ optional: true })
  created_at?: string;

  @Nested(() => UserBasicRecord, { optional: true })
  created_by?: UserBasicRecord;

  @IsoDate({ optional: true, nullable: true })
  expires_at?: string | null;

  @Text({ optional: true })
  membership_state?: string;

  @Text({ optional: true })
  email?: string;

  @Text({ optional: true, nullable: true })
  group_saml_identity?: string | null;

  @Text({ optional: true, description: 'For a list of users: success or error' })
  status?: string;

  @Anything({ optional: true, description: 'For a list of users: what was wrong, by username or id' })
  message?: Readonly<Record<string, string>>;
}

/** What the caller sees besides the member. */
export interface MemberView {
  readonly isPremium: boolean;
  readonly reader: Actor | null;
  readonly withSeat?: boolean | undefined;
}

/** Presents a member. */
export function presentMember(row: MemberRow, view: MemberView, links: Links): MemberRecord {
  const creator = presentUserIn(row, 'creator_', links);
  const { id, username, name, state, avatar_url, web_url } = presentUserBasic(row, links);
  const record: MemberRecord = {
    id,
    username,
    name,
    state,
    avatar_url,
    web_url,
    access_level: row.access_level,
    created_at: isoTime(row.created_at),
    expires_at: row.expires_at,
    membership_state: 'active',
  };
  if (creator) record.created_by = creator;
  const { reader } = view;
  if (reader) record.email = reader.admin || reader.id === id ? row.email : row.shown_email;
  if (view.isPremium) record.group_saml_identity = null;
  if (view.withSeat) record.is_using_seat = row.state === 'active' && row.user_type === 'human';
  return record;
}
