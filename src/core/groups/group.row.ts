import type { Caller } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import type { Links } from '#kernel/http/links.js';
import { isoTime } from '#kernel/http/times.js';
import type { GroupRecord } from './group.record.js';
import { groupSettings } from './settings/group-settings.js';
import type { Visibility } from './namespaces/namespace.entity.js';

/** Row of a group in lists and single reads. */
export interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly full_name: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly parent_id: number | null;
  readonly created_at: Date;
  readonly marked_for_deletion_at: Date | null;
  readonly repository_storage: string;
  readonly avatar: string | null;
}

/** Select list of a `GroupRow`; `n` is the alias of namespaces. */
export const GROUP_COLUMNS =
  'n.id, n.name, n.path, n.full_path, n.full_name, n.description, n.visibility, n.settings, n.parent_id, n.created_at, n.marked_for_deletion_at, n.repository_storage, n.avatar';

/** Presents a group in lists. */
export function presentGroup(row: GroupRow, { tier, actor }: Caller, links: Links): GroupRecord {
  const settings = groupSettings(row.settings);
  const record: GroupRecord = {
    id: row.id,
    web_url: links.group(row.full_path),
    name: row.name,
    path: row.path,
    description: row.description,
    visibility: row.visibility,
    share_with_group_lock: settings.share_with_group_lock,
    require_two_factor_authentication: settings.require_two_factor_authentication,
    two_factor_grace_period: settings.two_factor_grace_period,
    project_creation_level: settings.project_creation_level,
    auto_devops_enabled: settings.auto_devops_enabled,
    subgroup_creation_level: settings.subgroup_creation_level,
    emails_disabled: settings.emails_disabled,
    emails_enabled: settings.emails_disabled !== true,
    mentions_disabled: settings.mentions_disabled,
    lfs_enabled: false,
    default_branch_protection: settings.default_branch_protection,
    avatar_url: links.avatar('group', row.id, row.avatar),
    request_access_enabled: settings.request_access_enabled,
    full_name: row.full_name,
    full_path: row.full_path,
    created_at: isoTime(row.created_at),
    parent_id: row.parent_id,
    shared_runners_setting: settings.shared_runners_setting,
  };
  if (tier >= Tier.Premium) {
    record.ldap_cn = null;
    record.ldap_access = null;
    record.file_template_project_id = settings.file_template_project_id;
    record.marked_for_deletion_on = row.marked_for_deletion_at?.toISOString().slice(0, 10) ?? null;
    record.wiki_access_level = settings.wiki_access_level;
  }
  if (actor?.admin) record.repository_storage = row.repository_storage;
  return record;
}
