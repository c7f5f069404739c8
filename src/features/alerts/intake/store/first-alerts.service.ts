import { Injectable } from '@nestjs/common';
import { SingleStatements } from '#kernel/database/statements/single-statements.js';
import type { TakenAlertRecord } from '../taken-alert.record.js';
import { newAlert, type SourcedAlert } from './alert-plan.js';
import { documentOf, insertSql } from './alert-writes.js';

/** The lock of `AlertStoreService`, for one project. */
const LOCK = {
  name: 'alerts_lock_one',
  text: `select pg_advisory_xact_lock(hashtextextended('alerts ' || p.id::text, 0))
    from (select id from projects where id = $1 and not pending_delete for key share) p`,
};

/**
 * Inserts nothing if the project was removed, the alert is open already, or an integration wants an incident
 * or a mail for it.
 */
const INSERT = {
  name: 'alerts_insert_first',
  text: insertSql(
    `(select p.id as project_id, 1 as wanted from projects p where p.id = $2 and not p.pending_delete
      and ($3::text is null or not exists (select from alerts a where a.project_id = $2 and a.fingerprint = decode($3, 'hex') and a.status <> 2))
      and not exists (select from alert_integrations n where n.project_id = $2 and (n.create_incident or n.send_email)))`,
  ),
};

/** Stores single new alerts without further effects in one round trip. */
@Injectable()
export class FirstAlertsService {
  constructor(private readonly statements: SingleStatements) {}

  /**
   * Returns the number of a firing alert that was stored; null if nothing was stored, because more is to be
   * done.
   */
  async store(item: SourcedAlert, grouping: boolean): Promise<TakenAlertRecord | null> {
    const planned = newAlert(item, grouping, new Date());
    const document = `[${documentOf({ planned, id: null }, 0)}]`;
    const { projectId, alert } = item;
    const [, [row]] = await this.statements.together<[object, { readonly iid: number }]>([
      [LOCK, [projectId]],
      [INSERT, [document, projectId, grouping ? alert.fingerprint : null]],
    ]);
    return row ? { iid: row.iid, title: planned.title } : null;
  }
}
