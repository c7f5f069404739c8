import { Injectable } from '@nestjs/common';
import type { Actor, ProjectSubject } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { ClientKeysService } from './client-keys.service.js';
import { ErrorTrackingSetting } from './error-tracking-setting.entity.js';
import type { ErrorTrackingSettingRow } from './error-tracking-setting.record.js';
import { lockProject } from './project-lock.js';

const FIND = `select s.active, s.integrated, s.project_name, s.external_url, s.api_url
  from error_tracking_settings s where s.project_id = $1`;

const STORE = `insert into error_tracking_settings (project_id, active, integrated) values ($1, $2, $3)
  on conflict (project_id) do update set active = excluded.active, integrated = excluded.integrated, updated_at = now()`;

/** Requested settings. */
interface Wanted {
  readonly active: boolean;
  readonly integrated?: boolean | undefined;
}

/** Manages whether projects track errors. */
@Injectable()
export class ErrorTrackingSettingsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly database: ReadDatabase,
    private readonly audit: AuditLogService,
    private readonly keys: ClientKeysService,
  ) {}

  /** Returns the settings of a project; null if it never had any. */
  find(projectId: number): Promise<ErrorTrackingSettingRow | null> {
    return this.database.one<ErrorTrackingSettingRow>(FIND, [projectId]);
  }

  /** Returns the settings of a project. @throws 404 */
  async get(projectId: number): Promise<ErrorTrackingSettingRow> {
    const row = await this.find(projectId);
    if (!row) throw notFound('Error Tracking Setting');
    return row;
  }

  /** Creates or updates the settings. @throws 404 */
  put(project: ProjectSubject, actor: Actor, wanted: Required<Wanted>): Promise<void> {
    return this.transactions.run(async (tx) => {
      await lockProject(tx, project.id);
      await this.store(tx, project, actor, await former(tx, project.id), wanted);
    });
  }

  /** Updates existing settings. @throws 404 */
  change(project: ProjectSubject, actor: Actor, wanted: Wanted): Promise<void> {
    return this.transactions.run(async (tx) => {
      await lockProject(tx, project.id);
      const found = await former(tx, project.id);
      if (!found) throw notFound('Error Tracking Setting');
      const { active, integrated = found.integrated } = wanted;
      await this.store(tx, project, actor, found, { active, integrated });
    });
  }

  /** Enabling integrated tracking also creates the first key. */
  private async store(
    tx: Tx,
    project: ProjectSubject,
    actor: Actor,
    found: ErrorTrackingSetting | null,
    { active, integrated }: Required<Wanted>,
  ): Promise<void> {
    await tx.query(STORE, [project.id, active, integrated]);
    if (active && integrated) await this.keys.ensure(tx, project, actor);
    const changes = [
      { change: 'active', from: found?.active ?? false, to: active },
      { change: 'integrated', from: found?.integrated ?? false, to: integrated },
    ];
    for (const change of changes.filter(({ from, to }) => from !== to))
      await this.audit.record(
        tx,
        actor,
        { type: 'Project', id: project.id, path: project.fullPath },
        {
          type: 'ErrorTracking::ProjectErrorTrackingSetting',
          id: project.id,
          details: 'Error tracking settings',
        },
        change,
      );
  }
}

const former = (tx: Tx, projectId: number): Promise<ErrorTrackingSetting | null> =>
  tx.findOneBy(ErrorTrackingSetting, { projectId });
