import { Injectable } from '@nestjs/common';
import { Role, Tier } from '#kernel/access/roles.js';
import { Links } from '#kernel/http/links.js';
import { isoTime, isoTimeOrNull } from '#kernel/http/times.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import type { CurrentUserRecord } from './current-user.record.js';
import {
  presentUserBasic,
  type UserBasicRecord,
  type UserBasicRow,
  presentUserIn,
} from './user-basic.record.js';
import { workInformation } from './user-extended.record.js';
import type { UserProfileRecord } from './user-profile.record.js';
import type { UserAdminDetailRecord, UserAdminRecord } from './user.record.js';
import type { UserRow } from './user.row.js';

/** A record as a plain object, from which a larger one can be built. */
type Plain<Record> = Pick<Record, keyof Record>;

/** Presents users in forms from the summary to that of administrators. */
@Injectable()
export class UserPresenter {
  constructor(
    private readonly links: Links,
    private readonly settings: SettingsService,
  ) {}

  basic(row: UserBasicRow): Plain<UserBasicRecord> {
    return presentUserBasic(row, this.links);
  }

  profile(row: UserRow): Plain<UserProfileRecord> {
    return {
      ...this.basic(row),
      created_at: isoTime(row.created_at),
      bio: row.bio,
      location: row.location,
      public_email: row.public_email,
      skype: row.skype,
      linkedin: row.linkedin,
      twitter: row.twitter,
      discord: row.discord,
      website_url: row.website_url,
      organization: row.organization,
      job_title: row.job_title,
      pronouns: row.pronouns,
      bot: row.user_type.endsWith('_bot'),
      work_information: workInformation(row.job_title, row.organization),
      followers: row.followers,
      following: row.following,
      is_followed: row.is_followed,
      local_time: null,
    };
  }

  current(row: UserRow): Plain<CurrentUserRecord> {
    return {
      ...this.profile(row),
      last_sign_in_at: isoTimeOrNull(row.last_sign_in_at),
      confirmed_at: isoTimeOrNull(row.confirmed_at),
      last_activity_on: row.last_activity_on,
      email: row.email,
      theme_id: row.theme_id,
      color_scheme_id: row.color_scheme_id,
      projects_limit: row.projects_limit,
      current_sign_in_at: isoTimeOrNull(row.current_sign_in_at),
      identities: row.identities.map(({ provider, extern_uid }) => ({ provider, extern_uid })),
      can_create_group: row.can_create_group,
      can_create_project: row.owned_projects < row.projects_limit,
      two_factor_enabled: row.two_factor_enabled,
      external: row.external,
      private_profile: row.private_profile,
      commit_email: row.commit_email ?? row.email,
      shared_runners_minutes_limit: null,
      extra_shared_runners_minutes_limit: null,
    };
  }

  admin(row: UserRow): Plain<UserAdminRecord> {
    return {
      ...this.current(row),
      is_admin: row.admin,
      note: row.note,
      namespace_id: row.namespace_id,
      created_by: presentUserIn(row, 'creator_', this.links),
      email_reset_offered_at: null,
      is_auditor: false,
      using_license_seat: this.usesSeat(row),
      provisioned_by_group_id: null,
    };
  }

  adminDetail(row: UserRow): UserAdminDetailRecord {
    return {
      ...this.admin(row),
      highest_role: row.highest_role,
      current_sign_in_ip: row.current_sign_in_ip,
      last_sign_in_ip: row.last_sign_in_ip,
      sign_in_count: row.sign_in_count,
      plan: null,
      trial: null,
    };
  }

  /** Returns whether a user with access uses a seat; on the top plan guests are free. */
  private usesSeat(row: UserRow): boolean {
    if (row.state !== 'active' || row.user_type !== 'human') return false;
    return this.settings.tier < Tier.Ultimate || row.highest_role > (Role.Guest as number);
  }
}
