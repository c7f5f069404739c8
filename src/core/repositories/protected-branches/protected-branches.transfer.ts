import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { isoTimeSql } from '#kernel/database/time-sql.js';
import type { ImportTarget } from '#core/transfer/import-target.js';
import type { RelationPipeline, TransformedRow } from '#core/transfer/relation-pipeline.js';
import { sourceKey, sourceTitle } from '#core/transfer/source-key.js';
import { flagIn, type SourceRecord } from '#core/transfer/source-record.js';
import { sqlExport } from '#core/transfer/sql-export.js';
import { STAGES } from '#core/transfer/stages.js';
import { Transfers } from '#core/transfer/transfers.js';
import { refPatternIn, rightsIn, rightsUserIds } from '../protection/transfer/imported-protection.js';
import {
  ProtectedRefsImport,
  type ImportedProtection,
} from '../protection/transfer/protected-refs-import.js';
import { levelsJson } from '../protection/transfer/protection-json.js';

const KINDS = ['push', 'merge', 'unprotect'] as const;

const EXPORT = `select r.id, json_build_object('id', r.id, 'name', r.name, 'allow_force_push', r.allow_force_push,
    'code_owner_approval_required', r.code_owner_approval_required, 'created_at', ${isoTimeSql('r.created_at')},
    'updated_at', ${isoTimeSql('r.updated_at')}, 'push_access_levels', ${levelsJson('push')},
    'merge_access_levels', ${levelsJson('merge')}, 'unprotect_access_levels', ${levelsJson('unprotect')})::text as json
  from protected_refs r where r.project_id = $1 and r.ref_type = 'branch' and r.id > $2 order by r.id limit $3`;

/** Protected branches between instances. */
@Injectable()
export class ProtectedBranchesTransfer implements RelationPipeline<ImportedProtection>, OnModuleInit {
  readonly of = 'project';
  readonly relation = 'protected_branches';
  readonly stage = STAGES.project.referred;
  readonly isExtension = false;

  constructor(
    private readonly transfers: Transfers,
    private readonly database: ReadDatabase,
    private readonly refs: ProtectedRefsImport,
  ) {}

  onModuleInit(): void {
    const relation = { of: this.of, relation: this.relation, batchable: true } as const;
    this.transfers.offerExport(sqlExport(this.database, relation, EXPORT));
    this.transfers.offerPipeline(this);
  }

  title(record: SourceRecord): string | null {
    return sourceTitle(record, 'name');
  }

  key(record: SourceRecord): string {
    return sourceKey(record, 'name', 'id');
  }

  userIds(record: SourceRecord): number[] {
    return rightsUserIds(record, KINDS);
  }

  transform(record: SourceRecord, target: ImportTarget): ImportedProtection {
    return {
      name: refPatternIn(record),
      allowForcePush: flagIn(record, 'allow_force_push'),
      codeOwnerApprovalRequired: flagIn(record, 'code_owner_approval_required'),
      ...rightsIn(record, KINDS, target),
    };
  }

  load(tx: Tx, target: ImportTarget, rows: readonly TransformedRow<ImportedProtection>[]): Promise<number[]> {
    return this.refs.load(
      tx,
      target,
      'branch',
      rows.map(({ row }) => row),
    );
  }
}
