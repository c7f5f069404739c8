import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { Links } from '#kernel/http/links.js';
import { isoTime } from '#kernel/http/times.js';
import type { AlertIntegrationRecord } from './alert-integration.record.js';
import type { AlertIntegrationRow } from './alert-integrations.queries.js';
import { intakePath } from './keys/intake-path.js';
import { IntegrationKeysService } from './keys/integration-keys.service.js';

/** Presents integrations with URL and key, for Maintainers only. */
@Injectable()
export class AlertIntegrationsPresenter {
  constructor(
    private readonly links: Links,
    private readonly keys: IntegrationKeysService,
  ) {}

  /** Presents an integration of a project, with its key if visible. */
  present(
    row: AlertIntegrationRow,
    project: Pick<ProjectSubject, 'fullPath'>,
    isKeyShown: boolean,
  ): AlertIntegrationRecord {
    return {
      id: row.id,
      type: row.type,
      name: row.name,
      active: row.active,
      endpoint_identifier: row.endpointIdentifier,
      url: row.type === 'external' ? row.externalUrl : this.urlOf(row, project),
      token: isKeyShown ? this.keys.reveal(row) : null,
      create_incident: row.createIncident,
      auto_close_incident: row.autoCloseIncident,
      send_email: row.sendEmail,
      external_url: row.externalUrl,
      created_at: isoTime(row.createdAt),
      updated_at: isoTime(row.updatedAt),
    };
  }

  private urlOf(
    { name, endpointIdentifier }: AlertIntegrationRow,
    { fullPath }: Pick<ProjectSubject, 'fullPath'>,
  ): string {
    return this.links.project(fullPath) + intakePath(name, endpointIdentifier);
  }
}
