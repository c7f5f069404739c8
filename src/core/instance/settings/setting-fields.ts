import { Problem, type FieldOptions } from '#kernel/http/fields/field-spec.js';
import { Flag, Integer, OneOf, scalar, Text, texts } from '#kernel/http/fields/scalar-fields.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { isPlainObject } from '#kernel/http/plain-object.js';
import { parseDuration } from '../duration.js';
import type { SettingName } from './settings.js';

/** Creates the decorator of a setting, for both the parameter and the record. */
type Rule = (options: FieldOptions) => PropertyDecorator;

const MAX_INTEGER = 2_147_483_647;

const flag: Rule = (options) => Flag(options);
const number =
  (min: number, max = MAX_INTEGER): Rule =>
  (options) =>
    Integer({ ...options, min, max });
const text =
  (limits: { matches?: RegExp; maxLength?: number; blank?: boolean; nullable?: boolean }): Rule =>
  (options) =>
    Text({ ...options, ...limits });

/** Names that git accepts for a branch, but for the length in bytes; also for projects. */
export const BRANCH_NAME =
  /^(?![-/.])(?!@$)(?!.*(\.\.|\/\/|@\{|\/\.|\.lock(\/|$)))[^\p{Cc} ~^:?*[\\]+(?<![/.])$/u;

const VISIBILITIES = ['private', 'internal', 'public'];
const visibility: Rule = (options) => OneOf(VISIBILITIES, options);

const storageName = Text({ maxLength: 255 });

/** Names with integers from 0 to 100; form bodies send them as texts. */
const weights: Rule = (options) =>
  scalar(options, {
    coerce: (raw) => {
      if (!isPlainObject(raw)) return new Problem(texts.invalid);
      const pairs = Object.entries(raw).map(([key, value]) => [key, weightOf(value)] as const);
      if (pairs.length === 0) return new Problem(texts.empty);
      return pairs.some(([, value]) => value === null)
        ? new Problem('must hold whole numbers from 0 to 100')
        : Object.fromEntries(pairs);
    },
    check: (value) => (typeof value === 'object' && !Array.isArray(value) ? null : 'is not a hash'),
    schema: () => ({ type: 'object', additionalProperties: { type: 'integer', minimum: 0, maximum: 100 } }),
  });

function weightOf(raw: unknown): number | null {
  const value = typeof raw === 'string' && /^\d{1,3}$/.test(raw) ? Number(raw) : raw;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100 ? value : null;
}

/** A duration as text, stored as written. */
const duration: Rule = (options) =>
  scalar(options, {
    coerce: (raw) => {
      const written = typeof raw === 'number' ? String(raw) : raw;
      const isOne = typeof written === 'string' && parseDuration(written) !== null;
      return isOne ? written : new Problem(texts.invalid);
    },
    check: (value) => (typeof value === 'string' ? null : 'is not a string'),
    schema: () => ({ type: 'string', examples: ['30 days', '0'] }),
  });

/** A throttle allows at least one request in at least one second. */
const atLeastOne = number(1);

/** Field rules of all settings; a setting without one does not compile. */
export const SETTING_FIELDS = {
  default_projects_limit: number(0),
  default_project_visibility: visibility,
  default_group_visibility: visibility,
  default_snippet_visibility: visibility,
  // Blank stands for the default, as in v4.
  default_branch_name: text({ maxLength: 244, matches: BRANCH_NAME }),
  default_branch_protection: (options) => OneOf([0, 1, 2, 3, 4], options),
  restricted_visibility_levels: (options) => List(OneOf(VISIBILITIES), { ...options, maxItems: 3 }),
  repository_storages: (options) => List(storageName, { ...options, maxItems: 100 }),
  repository_storages_weighted: weights,
  repository_move_concurrency_per_storage: number(1, 100),
  push_event_activities_limit: number(0, 1_000),
  push_event_hooks_limit: number(0, 1_000),
  keep_latest_artifact: flag,
  default_artifacts_expire_in: duration,
  max_artifacts_size: atLeastOne,
  max_attachment_size: atLeastOne,
  user_oauth_applications: flag,
  password_grant_without_client: flag,
  user_default_external: flag,
  can_create_group: flag,
  signup_enabled: flag,
  require_admin_approval_after_user_signup: flag,
  password_authentication_enabled_for_web: flag,
  password_authentication_enabled_for_git: flag,
  enabled_git_access_protocol: (options) => OneOf(['all', 'http', 'ssh'], options),
  receive_max_input_size: number(1, 1_000_000),
  require_two_factor_authentication: flag,
  two_factor_grace_period: number(0),
  personal_access_token_prefix: text({ blank: true, maxLength: 20, matches: /^[\w+=/@:.-]+$/ }),
  max_personal_access_token_lifetime: (options) => Integer({ ...options, min: 1, max: 365, nullable: true }),
  session_expire_delay: number(0),
  impersonation_enabled: flag,
  admin_mode: flag,
  disable_admin_oauth_scopes: flag,
  deletion_adjourned_period: number(0, 90),
  offset_pagination_limit: number(0),
  audit_event_retention_days: number(0, 36_500),
  group_activity_window_days: number(1, 3_650),
  users_get_by_id_limit: number(0),
  projects_api_rate_limit_unauthenticated: number(0),
  project_jobs_api_rate_limit: number(0),
  search_rate_limit: number(0),
  notes_create_limit: number(0),
  issues_create_limit: number(0),
  alert_rate_limit_per_minute: number(0),
  error_tracking_rate_limit_per_minute: number(0),
  bulk_import_enabled: flag,
  bulk_import_rate_limit: number(0),
  bulk_import_open_limit: number(0),
  rate_limiting_response_text: text({ blank: false, maxLength: 1_000, nullable: true }),
  throttle_unauthenticated_api_enabled: flag,
  throttle_unauthenticated_api_requests_per_period: atLeastOne,
  throttle_unauthenticated_api_period_in_seconds: atLeastOne,
  throttle_unauthenticated_web_enabled: flag,
  throttle_unauthenticated_web_requests_per_period: atLeastOne,
  throttle_unauthenticated_web_period_in_seconds: atLeastOne,
  throttle_authenticated_api_enabled: flag,
  throttle_authenticated_api_requests_per_period: atLeastOne,
  throttle_authenticated_api_period_in_seconds: atLeastOne,
  throttle_authenticated_web_enabled: flag,
  throttle_authenticated_web_requests_per_period: atLeastOne,
  throttle_authenticated_web_period_in_seconds: atLeastOne,
  throttle_protected_paths_enabled: flag,
  throttle_protected_paths_requests_per_period: atLeastOne,
  throttle_protected_paths_period_in_seconds: atLeastOne,
} as const satisfies Record<SettingName, Rule>;
