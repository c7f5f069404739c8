import { Injectable } from '@nestjs/common';
import { byOwner } from '#kernel/database/lists/keyset-orders.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import type { AlertIntegration } from './alert-integration.entity.js';

/** Row of an integration. */
export type AlertIntegrationRow = Omit<AlertIntegration, 'keyDigest'>;

/**
 * By project and id instead of only id, so that the index of the project is used instead of the primary key.
 */
const LIST: ListShape = {
  kind: 'AlertIntegration',
  select: `i.id, i.project_id as "projectId", i.type, i.name, i.active, i.endpoint_identifier as "endpointIdentifier",
    i.key_sealed as "keySealed", i.external_url as "externalUrl", i.create_incident as "createIncident",
    i.auto_close_incident as "autoCloseIncident", i.send_email as "sendEmail", i.created_at as "createdAt",
    i.updated_at as "updatedAt"`,
  from: 'alert_integrations i',
  key: 'i.id',
  keyset: { id: byOwner('i', 'project_id', 'projectId') },
};

const ONE = `select ${LIST.select} from alert_integrations i where i.id = $2 and i.project_id = $1`;

/** Reads integrations. */
@Injectable()
export class AlertIntegrationsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the integrations of a project, oldest first. */
  list(projectId: number): ListQuery<AlertIntegrationRow> {
    return new ListQuery<AlertIntegrationRow>(LIST).of('i.project_id', projectId);
  }

  /** Returns an integration of the project. @throws 404 if it does not exist */
  async find(projectId: number, id: number): Promise<AlertIntegrationRow> {
    const row = await this.database.one<AlertIntegrationRow>(ONE, [projectId, id]);
    if (!row) throw notFound('Alert Integration');
    return row;
  }
}
