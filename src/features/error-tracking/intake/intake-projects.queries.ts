import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';

/** Facts that decide whether a project accepts events with a key. */
export interface IntakeProject {
  /** It is archived, or its monitoring is disabled: it accepts nothing. */
  readonly isShut: boolean;
  /** Whether its errors are tracked here. */
  readonly tracked: boolean;
  /** Whether the key belongs to the project and is active. */
  readonly keyed: boolean;
}

/** Read for each request: a removed key is invalid from the next one. */
const FIND = `select p.archived or coalesce(p.settings ->> 'monitor_access_level', 'enabled') = 'disabled' as "isShut",
    coalesce(s.active and s.integrated, false) as tracked, k.id is not null as keyed
  from projects p left join error_tracking_settings s on s.project_id = p.id
  left join error_tracking_client_keys k on k.public_key = $2 and k.project_id = p.id and k.active
  where p.id = $1 and not p.pending_delete`;

/** Form of keys; others are not looked up. */
const KEY = /^\w{1,128}$/;

/** Finds the projects to which SDKs send. */
@Injectable()
export class IntakeProjectsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the project, or null. */
  find(id: number, key: string | null): Promise<IntakeProject | null> {
    return this.database.one<IntakeProject>(FIND, [id, key !== null && KEY.test(key) ? key : null]);
  }
}
