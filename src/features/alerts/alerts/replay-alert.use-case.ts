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
  /** Null once the integration has been removed. */
  readonly id: number | null;
  readonly type: IntegrationType | null;
  readonly active: boolean | null;
}

/** Takes the payload of an alert in once more, as if its tool had sent it again. */
@Injectable()
export class ReplayAlert {
  constructor(
    private readonly database: ReadDatabase,
    private readonly intake: AlertIntakeService,
  ) {}

  /** What has become of the payload. @throws 403 as the tool would be refused that its integration lets in no more, 404 */
  async run(project: ProjectSubject, iid: number): Promise<readonly TakenAlertRecord[]> {
    const found = await this.database.one<Stored>(FIND, [project.id, iid]);
    if (!found) throw notFound('Alert');
    const { payload, id, type, active } = found;
    if (active === false) throw forbidden('the alert integration is disabled');
    return this.intake.take(project, id === null || type === null ? null : { id, type }, payload);
  }
}
