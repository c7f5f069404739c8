import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { MailedAlert, MailedProject } from './alert.mail.js';

const PROJECT = 'select id, name, full_path from projects where id = $1';

/** Skips alerts that a user acknowledged or ignored: no more mails are sent about them (`ops.md` 5.6). */
const ALERTS = `select a.iid, a.title, a.description, a.severity, a.status, a.service, a.monitoring_tool, a.hosts, a.started_at, a.ended_at,
    a.events_count, e.name as environment, i.iid as incident_iid
  from alerts a left join environments e on e.id = a.environment_id left join issues i on i.id = a.issue_id and i.project_id = a.project_id
  where a.project_id = $1 and a.id = any($2::bigint[]) and a.status in (0, 2) order by a.id`;

/** Reads what mails contain about alerts. */
@Injectable()
export class AlertMailQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the project; null if it no longer exists. */
  project(id: number): Promise<MailedProject | null> {
    return this.database.one<MailedProject>(PROJECT, [id]);
  }

  /** Returns those of the alerts that still need a mail, in their present state. */
  alerts(projectId: number, ids: readonly number[]): Promise<MailedAlert[]> {
    return this.database.short<MailedAlert>(ALERTS, [projectId, ids]);
  }
}
