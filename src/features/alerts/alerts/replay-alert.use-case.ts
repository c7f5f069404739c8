import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, notFound } from '#kernel/http/errors.js';
import type { IntegrationType } from '../integrations/integration-values.js';
import { AlertIntakeService } from '../intake/alert-intake.service.js';
import type { TakenAlertRecord } from '../intake/taken-alert.record.js';

const FIND = `select a.payload, i.id, i.type, i.active from alerts a left join alert_integrations i on i.id = a.integration_id
  where a.project_id = $1 and a.iid = $2`;

interface Stored {
  readonly payload: unknown;
  /** Null if the integration was removed. */
  readonly id: number | null;
  readonly type: IntegrationType | null;
  readonly active: boolean | null;
}

/** Processes the payload of an alert again, as if its tool had sent it again. */
@Injectable()
export class ReplayAlert {
  constructor(
    private readonly database: ReadDatabase,
    private readonly intake: AlertIntakeService,
  ) {}

  /** Returns the results of the payload. @throws 403 if the integration would reject its tool, 404 */
  async run(project: ProjectSubject, iid: number): Promise<readonly TakenAlertRecord[]> {
    const found = await this.database.one<Stored>(FIND, [project.id, iid]);
    if (!found) throw notFound('Alert');
    const { payload, id, type, active } = found;
    if (active === false) throw forbidden('the alert integration is disabled');
    return this.intake.take(project, id === null || type === null ? null : { id, type }, payload);
  }
}
