import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/list-query.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import type { Actor } from '#kernel/access/caller.js';
import { Forbidden, NotFound } from '#kernel/http/errors.js';
import {
  ENTITY_COLUMNS,
  FAILURE_COLUMNS,
  IMPORT_COLUMNS,
  SHORT_ENTITY_COLUMNS,
  type EntityRow,
  type FailureRow,
  type ImportRow,
  type ShortEntityRow,
} from './bulk-import-rows.js';
import type { ListBulkImports } from './bulk-imports.params.js';

const KIND = 'Bulk Import';
const ENTITY_KIND = 'Bulk Import Entity';

const IMPORTS: ListShape = { kind: KIND, select: IMPORT_COLUMNS, from: 'bulk_imports i', key: 'i.id' };
const ENTITIES: ListShape = {
  kind: ENTITY_KIND,
  select: ENTITY_COLUMNS,
  from: 'bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id',
  key: 'e.id',
};
const SHORT_ENTITIES: ListShape = {
  kind: ENTITY_KIND,
  select: SHORT_ENTITY_COLUMNS,
  from: 'bulk_import_entities e',
  key: 'e.id',
};
const FAILURES: ListShape = {
  kind: ENTITY_KIND,
  select: FAILURE_COLUMNS,
  from: 'bulk_import_failures f',
  key: 'f.id',
};

const ONE = `select ${IMPORT_COLUMNS} from bulk_imports i where i.id = $1 and i.user_id = $2`;
const ONE_ENTITY = `select ${SHORT_ENTITY_COLUMNS} from bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id
  where e.bulk_import_id = $1 and i.user_id = $2 and e.id = $3`;
const OWNER = 'select user_id from bulk_imports where id = $1';

/** Reading migrations: everybody their own. */
@Injectable()
export class BulkImportQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** The imports of a user. */
  list(userId: number, { status, sort = 'desc' }: ListBulkImports): ListQuery<ImportRow> {
    const query = new ListQuery<ImportRow>(IMPORTS).where('i.user_id = ?', userId);
    if (status) query.where('i.status = ?', status);
    return query.orderBy('i.created_at', sort);
  }

  /** The entities of all imports of a user. */
  entities(userId: number, { status, sort = 'desc' }: ListBulkImports): ListQuery<EntityRow> {
    const query = new ListQuery<EntityRow>(ENTITIES).where('i.user_id = ?', userId);
    if (status) query.where('e.status = ?', status);
    return query.orderBy('e.created_at', sort);
  }

  /** The entities of one import. */
  entitiesOf(importId: number, { status, sort = 'desc' }: ListBulkImports): ListQuery<ShortEntityRow> {
    const query = new ListQuery<ShortEntityRow>(SHORT_ENTITIES).where('e.bulk_import_id = ?', importId);
    if (status) query.where('e.status = ?', status);
    return query.orderBy('e.created_at', sort);
  }

  /** What of an entity could not be brought over. */
  failuresOf(entityId: number): ListQuery<FailureRow> {
    return new ListQuery<FailureRow>(FAILURES).where('f.entity_id = ?', entityId).orderBy('f.id', 'asc');
  }

  /** An import of a user. @throws 404 */
  async find(id: number, userId: number): Promise<ImportRow> {
    const row = await this.database.one<ImportRow>(ONE, [id, userId]);
    if (!row) throw NotFound(KIND);
    return row;
  }

  /** An entity of an import of a user. @throws 404 for either */
  async findEntity(importId: number, userId: number, entityId: number): Promise<ShortEntityRow> {
    const row = await this.database.one<ShortEntityRow>(ONE_ENTITY, [importId, userId, entityId]);
    if (row) return row;
    await this.find(importId, userId);
    throw NotFound(ENTITY_KIND);
  }

  /** Whose import it is that somebody wants to change. @throws 404, 403 for those of others unless they administer the instance */
  async ownerToChange(id: number, actor: Actor): Promise<number> {
    const row = await this.database.one<{ user_id: number }>(OWNER, [id]);
    if (!row) throw NotFound(KIND);
    if (row.user_id !== actor.id && !actor.admin) throw Forbidden();
    return row.user_id;
  }
}
