import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { MailedAlert, MailedProject } from './alert-mail.js';

const PROJECT = 'select id, name, full_path from projects where id = $1';

/** Whoever has taken an alert over, or does not want to hear of it, has said so: no mail tells of it any more (`ops.md` 5.6). */
const ALERTS = `select a.iid, a.title, a.description, a.severity, a.status, a.service, a.monitoring_tool, a.hosts, a.started_at, a.ended_at,
    a.events_count, e.name as environment, i.iid as incident_iid
  from alerts a left join environments e on e.id = a.environment_id left join issues i on i.id = a.issue_id and i.project_id = a.project_id
  where a.project_id = $1 and a.id = any($2::bigint[]) and a.status in (0, 2) order by a.id`;

/** Reads what mails tell of alerts. */
@Injectable()
export class AlertMailQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** The project; null when it is gone. */
  project(id: number): Promise<MailedProject | null> {
    return this.database.one<MailedProject>(PROJECT, [id]);
  }

  /** Those of some alerts that are still worth a mail, as they are now. */
  alerts(projectId: number, ids: readonly number[]): Promise<MailedAlert[]> {
    return this.database.short<MailedAlert>(ALERTS, [projectId, ids]);
  }
}
