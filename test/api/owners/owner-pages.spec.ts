import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { JobQueries } from '#core/ci/jobs/job.queries.js';
import { PipelinesQueries } from '#core/ci/pipelines/pipelines.queries.js';
import { VariablesService } from '#core/ci/variables/variables.service.js';
import { EnvironmentsQueries } from '#core/environments/environments.queries.js';
import { ProtectedEnvironmentsQueries } from '#core/environments/protection/protected-environments.queries.js';
import { LABEL_EVENTS } from '#core/issuables/resource-events/resource-event-kinds.js';
import { ResourceEventsQueries } from '#core/issuables/resource-events/resource-events.queries.js';
import { PackagesQueries } from '#core/packages/packages.queries.js';
import { ProtectedRefsQueries } from '#core/repositories/protection/protected-refs.queries.js';
import { AlertIntegrationsQueries } from '#features/alerts/integrations/alert-integrations.queries.js';
import { BulkImportsQueries } from '#features/bulk-imports/api/bulk-imports.queries.js';
import { ErrorsQueries } from '#features/error-tracking/errors/errors.queries.js';
import { FreezePeriodsQueries } from '#features/freeze-periods/freeze-periods.queries.js';
import { ManagedLicensesQueries } from '#features/managed-licenses/managed-licenses.queries.js';
import { RunnersQueries } from '#features/runners/admin/runners.queries.js';
import { CrowdedTables, QUIET, type OwnedRows } from '../../support/crowded-tables.js';

/** Each has rows of one owner, by all columns that name one. */
const ROWS: OwnedRows = {
  alert_integrations: `(project_id, type, name, endpoint_identifier) select $1, 'http', 'x', $1 * 10000 + n`,
  bulk_import_entities: `(bulk_import_id, source_type, source_full_path, destination_slug, destination_namespace) select $1, 'group_entity', 'x', 'x', 'x'`,
  bulk_imports: `(user_id, source_url, source_version) select $1, '', ''`,
  ci_jobs: `(project_id, pipeline_id, runner_id, kind, name, stage, stage_index, ref, status) select $1, $1, $1, 'build', 'x', 'x', 0, 'x', 'success'`,
  ci_pipelines: `(project_id, iid, ref, sha, source, user_id, status) select $1, n, 'x', repeat('a', 40), 'push', $1, 'success'`,
  ci_variables: `(owner_type, owner_id, key, value) select 'Project', $1, 'k' || n, ''`,
  environments: `(project_id, name, slug, tier) select $1, 'e' || n, 'e' || n, 'other'`,
  error_tracking_errors: `(project_id, group_key, name, level, first_seen_at, last_seen_at) select $1, sha256(($1 * 10000 + n)::text::bytea), '', '', now(), now() - n * interval '1 minute'`,
  error_tracking_events: `(project_id, error_id, event_id, occurred_at, payload) select $1, $1, gen_random_uuid(), now(), ''`,
  freeze_periods: `(project_id, freeze_start, freeze_end, cron_timezone) select $1, '', '', ''`,
  managed_licenses: `(project_id, name, approval_status) select $1, 'l' || n, 'allowed'`,
  package_files: `(project_id, package_id, file_name, size, sha256, object_key) select $1, $1, 'f', 1, '', $1 * 10000 + n`,
  packages: `(project_id, package_type, name, version, status) select $1, 'generic', 'x', n, 'default'`,
  protected_environments: `(project_id, name) select $1, 'e' || n`,
  protected_refs: `(project_id, ref_type, name) select $1, 'branch', 'b' || n`,
  resource_label_events: `(issue_id, action) select $1, 'add'`,
};

const JOBS = { projectId: QUIET, pipelineId: QUIET, scope: [], withRetried: true };
const ADMIN = { id: QUIET, admin: true } as never;

type AnyList = ListQuery<object>;

const LISTS: readonly (readonly [table: string, list: () => AnyList])[] = [
  ['alert_integrations', () => AlertIntegrationsQueries.prototype.list(QUIET)],
  ['bulk_import_entities', () => BulkImportsQueries.prototype.entitiesOf(QUIET, {})],
  ['bulk_imports', () => BulkImportsQueries.prototype.list(QUIET, {})],
  ['ci_jobs', () => JobQueries.prototype.list(QUIET, [])],
  ['ci_jobs', () => JobQueries.prototype.list(QUIET, ['success'])],
  ['ci_jobs', () => JobQueries.prototype.ofPipeline(JOBS)],
  ['ci_jobs', () => JobQueries.prototype.bridges(JOBS)],
  ['ci_jobs', () => RunnersQueries.prototype.jobs(ADMIN, { id: QUIET })],
  ['ci_pipelines', () => PipelinesQueries.prototype.list(QUIET, {})],
  ['ci_pipelines', () => PipelinesQueries.prototype.list(QUIET, { ref: 'x', order_by: 'updated_at' })],
  ['ci_variables', () => VariablesService.prototype.list({ ownerType: 'Project', ownerId: QUIET } as never)],
  ['environments', () => EnvironmentsQueries.prototype.list(QUIET, {})],
  ['error_tracking_errors', () => ErrorsQueries.prototype.list(QUIET, {})],
  ['error_tracking_events', () => ErrorsQueries.prototype.events(QUIET, QUIET, 'desc')],
  ['freeze_periods', () => FreezePeriodsQueries.prototype.list(QUIET)],
  ['managed_licenses', () => ManagedLicensesQueries.prototype.list(QUIET)],
  ['package_files', () => PackagesQueries.prototype.files(QUIET)],
  ['packages', () => PackagesQueries.prototype.list(QUIET, {})],
  ['packages', () => PackagesQueries.prototype.list(QUIET, { order_by: 'id' })],
  [
    'protected_environments',
    () => ProtectedEnvironmentsQueries.prototype.list({ projectId: QUIET, groupId: null }),
  ],
  ['protected_refs', () => ProtectedRefsQueries.prototype.list(QUIET, 'branch', undefined)],
  [
    'resource_label_events',
    () =>
      ResourceEventsQueries.prototype.list(
        LABEL_EVENTS,
        { type: 'Issue', id: QUIET } as never,
        { actor: { admin: true } } as never,
      ),
  ],
];

describe('pages of what one owner has', () => {
  let tables: CrowdedTables;

  beforeAll(async () => {
    tables = await CrowdedTables.build(ROWS);
  });
  afterAll(() => tables.close());

  it.each(LISTS)(
    'are read by its index, though none was there when PostgreSQL analyzed: %s',
    async (table, list) => {
      expect(await tables.excessOf(table, list())).toEqual([]);
    },
  );
});
