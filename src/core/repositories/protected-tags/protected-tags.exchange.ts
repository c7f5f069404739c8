import { Injectable } from '@nestjs/common';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { levelsJson } from '../protection/exchange/protection-json.sql.js';
import type { ImportedProtection } from '../protection/exchange/protected-refs.importer.js';
import { ProtectedRefsExchange } from '../protection/exchange/protected-refs.exchange.js';

const KINDS = ['create'] as const;

const EXPORT = `select r.id, json_build_object('id', r.id, 'name', r.name, 'created_at', ${isoTimeSql('r.created_at')},
    'updated_at', ${isoTimeSql('r.updated_at')}, 'create_access_levels', ${levelsJson('create')})::text as json
  from protected_refs r where r.project_id = $1 and r.ref_type = 'tag' and r.id > $2 order by r.id limit $3`;

/** Exports and imports protected tags. */
@Injectable()
export class ProtectedTagsExchange extends ProtectedRefsExchange {
  protected readonly relation = 'protected_tags';
  protected readonly refType = 'tag';
  protected readonly kinds = KINDS;
  protected readonly statement = EXPORT;

  protected optionsIn(): Pick<ImportedProtection, 'allowForcePush' | 'codeOwnerApprovalRequired'> {
    return { allowForcePush: false, codeOwnerApprovalRequired: false };
  }
}
