import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { IntegrationType } from '../integration-values.js';

/** Where an intake URL leads: a project, and the integration behind the identifier, whose columns are null where there is none. */
export interface FoundIntegration {
  readonly projectId: number;
  /** It is archived, or watched over no more: it takes nothing in. */
  readonly isShut: boolean;
  readonly integrationId: number | null;
  readonly type: IntegrationType | null;
  readonly active: boolean | null;
  /** SHA-256 of the key; null also for tools outside, whose keys let nobody in here. */
  readonly keyDigest: Buffer | null;
}

/** Paths lead on after a project has been renamed, as they do for git. */
const FIND = `select p.id as "projectId", p.archived or coalesce(p.settings ->> 'monitor_access_level', 'enabled') = 'disabled' as "isShut",
    i.id as "integrationId", i.type, i.active, i.key_digest as "keyDigest"
  from routes r join projects p on p.id = r.source_id and not p.pending_delete
  left join alert_integrations i on i.project_id = p.id and i.endpoint_identifier = $2
  where r.path = lower($1) and r.source_type = 'Project'`;

/** Finds the integration that a payload is sent to. */
@Injectable()
export class IntegrationLookupQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** What lies at a project's full path, and the integration of this identifier there; null where there is no project. */
  find(fullPath: string, identifier: string): Promise<FoundIntegration | null> {
    return this.database.one<FoundIntegration>(FIND, [fullPath, identifier]);
  }
}
