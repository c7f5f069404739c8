import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { AuditLogService, INSTANCE_SCOPE, type AuditScope } from '#core/audit/audit-log.service.js';
import type { OwnerType } from '#core/repositories/repository-ref.js';
import { MOVE_KINDS } from '../storage-move.js';
import type { OwnerToMove } from './move-scheduling.service.js';

/** The user who schedules moves. */
export interface MoveAuthor {
  readonly id: number;
  readonly name: string;
}

interface Named {
  readonly type: 'Project' | 'Group' | null;
  readonly id: number;
  readonly path: string;
  readonly details: string;
}

/** A project's snippet is audited in the project, a personal one in the instance. */
const NAMES: Readonly<Record<OwnerType, string>> = {
  Project: `select 'Project' as type, id, full_path as path, full_path as details from projects where id = $1`,
  Group: `select 'Group' as type, id, full_path as path, full_path as details from namespaces where id = $1`,
  Snippet: `select case when p.id is null then null else 'Project' end as type, coalesce(p.id, 1) as id,
      coalesce(p.full_path, '') as path, s.title as details
    from snippets s left join projects p on p.id = s.project_id where s.id = $1`,
};

/** Audits the scheduling of moves. */
@Injectable()
export class MoveAudit {
  constructor(private readonly log: AuditLogService) {}

  /** Audits the move of one owner. */
  async one(
    tx: Tx,
    author: MoveAuthor | null,
    { ownerType, ownerId }: OwnerToMove,
    from: string,
    to: string,
  ): Promise<void> {
    const [named] = await tx.query<[Named]>(NAMES[ownerType], [ownerId]);
    const scope: AuditScope =
      named.type === null ? INSTANCE_SCOPE : { type: named.type, id: named.id, path: named.path };
    const target = { type: ownerType, id: ownerId, details: named.details };
    await this.log.record(tx, author, scope, target, { change: 'repository_storage', from, to });
  }

  /** Audits the moves of all owners of a type on a storage. */
  async all(
    tx: Tx,
    author: MoveAuthor | null,
    ownerType: OwnerType,
    from: string,
    to: string | null,
  ): Promise<void> {
    const target = { type: 'Storage', id: from, details: from };
    const customMessage = `Scheduled moves of all ${MOVE_KINDS[ownerType].key}s on storage ${from} to ${to ?? 'other storages'}`;
    await this.log.record(tx, author, INSTANCE_SCOPE, target, { customMessage });
  }
}
