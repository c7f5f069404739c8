import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';

/** What decides whether a project takes in what came with a key. */
export interface IntakeProject {
  /** It is archived, or watched over no more: it takes nothing in. */
  readonly isShut: boolean;
  /** Whether its errors are tracked here. */
  readonly tracked: boolean;
  /** Whether the key is one of its own, and switched on. */
  readonly keyed: boolean;
}

/** Asked for each request: a key that has been removed counts no longer from the next one on. */
const FIND = `select p.archived or coalesce(p.settings ->> 'monitor_access_level', 'enabled') = 'disabled' as "isShut",
    coalesce(s.active and s.integrated, false) as tracked, k.id is not null as keyed
  from projects p left join error_tracking_settings s on s.project_id = p.id
  left join error_tracking_client_keys k on k.public_key = $2 and k.project_id = p.id and k.active
  where p.id = $1 and not p.pending_delete`;

/** What a key may look like; nothing else is worth asking for. */
const KEY = /^\w{1,128}$/;

/** Looks up where what SDKs send is meant to go. */
@Injectable()
export class IntakeProjectsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Null when there is no such project. */
  find(id: number, key: string | null): Promise<IntakeProject | null> {
    return this.database.one<IntakeProject>(FIND, [id, key !== null && KEY.test(key) ? key : null]);
  }
}
