import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { IntegrationType } from '../integration-values.js';

/**
 * Target of an intake URL: a project, and the integration with the identifier, whose columns are null if
 * there is none.
 */
export interface FoundIntegration {
  readonly projectId: number;
  /** It is archived, or its monitoring is disabled: it accepts nothing. */
  readonly isShut: boolean;
  readonly integrationId: number | null;
  readonly type: IntegrationType | null;
  readonly active: boolean | null;
  /** SHA-256 of the key; also null for external tools, whose keys are not valid for the intake. */
  readonly keyDigest: Buffer | null;
}

/** Former paths of renamed projects still work, as for git. */
const FIND = `select p.id as "projectId", p.archived or coalesce(p.settings ->> 'monitor_access_level', 'enabled') = 'disabled' as "isShut",
    i.id as "integrationId", i.type, i.active, i.key_digest as "keyDigest"
  from routes r join projects p on p.id = r.source_id and not p.pending_delete
  left join alert_integrations i on i.project_id = p.id and i.endpoint_identifier = $2
  where r.path = lower($1) and r.source_type = 'Project'`;

/** Finds the integration of a payload. */
@Injectable()
export class IntegrationLookupQueries {
  constructor(private readonly database: ReadDatabase) {}

  /**
   * Finds the project with a full path, and its integration with this identifier; null if there is no such
   * project.
   */
  find(fullPath: string, identifier: string): Promise<FoundIntegration | null> {
    return this.database.one<FoundIntegration>(FIND, [fullPath, identifier]);
  }
}
