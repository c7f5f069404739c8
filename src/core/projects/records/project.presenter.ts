import { partLevel } from '#kernel/access/project-parts.js';
import { escapeHtml } from '#kernel/html/escape-html.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { Values } from '#kernel/http/fields/derived-fields.js';
import type { Links } from '#kernel/http/links.js';
import { RecordShape } from '#kernel/http/answers/record-shape.js';
import { isoTime } from '#kernel/http/times.js';
import { presentUserBasic } from '#core/users/records/user-basic.record.js';
import { switchesOf } from '../settings/feature-switches.js';
import { NOT_OFFERED } from '../not-offered.js';
import { PREMIUM_DEFAULTS, type PremiumSettings } from '../settings/premium-settings.js';
import { presentSimpleProject, repositoryUrl } from './project-simple.presenter.js';
import type { ForkSourceRecord, ProjectLinksRecord } from './project-parts.record.js';
import { PROJECT_DEFAULTS, type ProjectSettings } from '../settings/project-settings.js';
import type {
  AccessLevelRecord,
  ProjectImportRecord,
  ProjectPremiumRecord,
  ProjectRecord,
  ProjectWithAccessRecord,
} from './project.record.js';
import type { ForkSourceRow, ProjectRow } from '../project.row.js';

/** Facts about the caller that a record depends on. */
export interface ProjectViewer {
  readonly admin: boolean;
  readonly tier: Tier;
}

const IMPORT_DEFAULTS: Readonly<ProjectImportRecord> = {
  import_url: null,
  import_type: null,
  import_status: 'none',
  import_error: null,
};

const FREE_SHAPE = new RecordShape();
const PREMIUM_SHAPE = new RecordShape();

/** Keeps only the names in `defaults`: settings of a higher plan stay stored, but are not shown. */
function pick<T extends object>(defaults: Readonly<T>, stored: Readonly<Record<string, unknown>>): Values<T> {
  const values = { ...defaults } as Record<string, unknown>;
  for (const [name, value] of Object.entries(stored)) if (Object.hasOwn(defaults, name)) values[name] = value;
  return values as Values<T>;
}

/** Notification level "global", the default of all users. */
const NOTIFY_GLOBALLY = 3;

const accessLevel = (level: number | null): AccessLevelRecord | null =>
  level === null ? null : { access_level: level, notification_level: NOTIFY_GLOBALLY };

/** Users who can see a project may read its issues, unless these are limited to members or disabled. */
function mayReadIssues({ settings, role }: ProjectRow): boolean {
  const level = partLevel(settings, 'issues');
  return level === 'enabled' || (level === 'private' && role >= Role.Guest);
}

/** Presents the full form; callers that may open `runners_token` add it. */
export function presentProject(row: ProjectRow, viewer: ProjectViewer, links: Links): Values<ProjectRecord> {
  const settings = pick<ProjectSettings>(PROJECT_DEFAULTS, row.settings);
  settings.builds_access_level = partLevel(row.settings, 'builds');
  const switches = switchesOf(settings);
  const mayOfferChanges = row.role >= Role.Reporter || row.visibility !== 'private';
  const isPremium = viewer.tier >= Tier.Premium;
  const record = (isPremium ? PREMIUM_SHAPE : FREE_SHAPE).join(
    presentSimpleProject(row, links),
    settings,
    switches,
    NOT_OFFERED,
    pick<ProjectImportRecord>(IMPORT_DEFAULTS, row.settings),
    {
      container_registry_image_prefix: null,
      _links: presentLinks(row, settings, links),
      empty_repo: row.empty_repo,
      archived: row.archived,
      visibility: row.visibility,
      container_expiration_policy: null,
      service_desk_address: null,
      can_create_merge_request_in: switches.merge_requests_enabled && !row.archived && mayOfferChanges,
      emails_disabled: !settings.emails_enabled,
      creator_id: row.creator_id,
      forked_from_project: row.forked_from ? presentForkSource(row.forked_from, links) : null,
      open_issues_count: mayReadIssues(row) ? row.open_issues_count : null,
      description_html: descriptionHtml(row.description),
      updated_at: isoTime(row.updated_at),
      shared_with_groups: row.shared_with_groups,
    },
    isPremium ? presentPremium(row, settings) : {},
  ) as Values<ProjectRecord>;
  if (row.owner) record.owner = presentUserBasic(row.owner, links);
  if (viewer.admin) record.repository_storage = row.repository_storage;
  if (row.statistics && row.role >= Role.Reporter) record.statistics = row.statistics;
  return record;
}

/** Presents the full form with the caller's roles. */
export function presentProjectWithAccess(
  row: ProjectRow,
  viewer: ProjectViewer,
  links: Links,
): Values<ProjectWithAccessRecord> {
  return Object.assign(presentProject(row, viewer, links), {
    permissions: {
      project_access: accessLevel(row.project_access),
      group_access: accessLevel(row.group_access),
    },
  });
}

function presentPremium(row: ProjectRow, settings: ProjectSettings): Values<ProjectPremiumRecord> {
  const premium = pick<PremiumSettings>(PREMIUM_DEFAULTS, row.settings);
  const marked = row.marked_for_deletion_at?.toISOString().slice(0, 10) ?? null;
  return {
    ...premium,
    requirements_enabled: premium.requirements_access_level !== 'disabled',
    security_and_compliance_enabled: settings.security_and_compliance_access_level !== 'disabled',
    marked_for_deletion_at: marked,
    marked_for_deletion_on: marked,
    compliance_frameworks: [],
  };
}

function presentLinks(
  { id }: ProjectRow,
  { issues_access_level, merge_requests_access_level }: ProjectSettings,
  links: Links,
): ProjectLinksRecord {
  const to = (part: string): string => links.api(`/projects/${id}${part}`);
  return {
    self: to(''),
    ...(issues_access_level === 'disabled' ? {} : { issues: to('/issues') }),
    ...(merge_requests_access_level === 'disabled' ? {} : { merge_requests: to('/merge_requests') }),
    repo_branches: to('/repository/branches'),
    labels: to('/labels'),
    events: to('/events'),
    members: to('/members'),
    cluster_agents: null,
  };
}

const presentForkSource = (source: ForkSourceRow, links: Links): ForkSourceRecord => ({
  id: source.id,
  description: source.description,
  name: source.name,
  name_with_namespace: source.full_name,
  path: source.path,
  path_with_namespace: source.full_path,
  http_url_to_repo: repositoryUrl(source.full_path, links),
  web_url: links.project(source.full_path),
});

function descriptionHtml(description: string | null): string {
  if (description === null || description === '') return '';
  return `<p dir="auto">${escapeHtml(description)}</p>`;
}
