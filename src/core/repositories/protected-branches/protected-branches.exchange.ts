import { Injectable } from '@nestjs/common';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { flagIn, type SourceRecord } from '#core/exchange/source-record.js';
import { levelsJson } from '../protection/exchange/protection-json.sql.js';
import type { ImportedProtection } from '../protection/exchange/protected-refs.importer.js';
import { ProtectedRefsExchange } from '../protection/exchange/protected-refs.exchange.js';

const KINDS = ['push', 'merge', 'unprotect'] as const;

const EXPORT = `select r.id, json_build_object('id', r.id, 'name', r.name, 'allow_force_push', r.allow_force_push,
    'code_owner_approval_required', r.code_owner_approval_required, 'created_at', ${isoTimeSql('r.created_at')},
    'updated_at', ${isoTimeSql('r.updated_at')}, 'push_access_levels', ${levelsJson('push')},
    'merge_access_levels', ${levelsJson('merge')}, 'unprotect_access_levels', ${levelsJson('unprotect')})::text as json
  from protected_refs r where r.project_id = $1 and r.ref_type = 'branch' and r.id > $2 order by r.id limit $3`;

/** Exports and imports protected branches. */
@Injectable()
export class ProtectedBranchesExchange extends ProtectedRefsExchange {
  protected readonly relation = 'protected_branches';
  protected readonly refType = 'branch';
  protected readonly kinds = KINDS;
  protected readonly statement = EXPORT;

  protected optionsIn(
    record: SourceRecord,
  ): Pick<ImportedProtection, 'allowForcePush' | 'codeOwnerApprovalRequired'> {
    return {
      allowForcePush: flagIn(record, 'allow_force_push'),
      codeOwnerApprovalRequired: flagIn(record, 'code_owner_approval_required'),
    };
  }
}
