import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Actor } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import {
  ENTITY_COLUMNS,
  FAILURE_COLUMNS,
  IMPORT_COLUMNS,
  SHORT_ENTITY_COLUMNS,
  type EntityRow,
  type FailureRow,
  type ImportRow,
  type ShortEntityRow,
} from './bulk-import.row.js';
import type { ListBulkImportsParams } from './bulk-imports.params.js';

const KIND = 'Bulk Import';
const ENTITY_KIND = 'Bulk Import Entity';

const IMPORTS: ListShape = { kind: KIND, select: IMPORT_COLUMNS, from: 'bulk_imports i', key: 'i.id' };
const ENTITIES: ListShape = {
  kind: ENTITY_KIND,
  select: ENTITY_COLUMNS,
  from: 'bulk_import_entities e join bulk_imports i on i.id = any(array[e.bulk_import_id])',
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

const OF_USER = `select * from bulk_import_entities where bulk_import_id = any(array(
    select id from bulk_imports where user_id = any(array[?::bigint]) order by user_id)) order by bulk_import_id`;

/** SQL condition: the import `i` belongs to the caller ($2), or the caller acts as an administrator ($3). */
const IS_SHOWN = '(i.user_id = $2 or $3::boolean)';

const ONE = `select ${IMPORT_COLUMNS} from bulk_imports i where i.id = $1 and ${IS_SHOWN}`;
const ONE_ENTITY = `select ${SHORT_ENTITY_COLUMNS} from bulk_import_entities e join bulk_imports i on i.id = e.bulk_import_id
  where e.bulk_import_id = $1 and ${IS_SHOWN} and e.id = $4`;

/** Reader of migrations. */
export type Reader = Pick<Actor, 'id' | 'admin'>;

/** Reads migrations: users read their own, administrators any one by id. Others are reported as missing. */
@Injectable()
export class BulkImportsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the imports of a user. */
  list(userId: number, { status, sort = 'desc' }: ListBulkImportsParams): ListQuery<ImportRow> {
    const query = new ListQuery<ImportRow>(IMPORTS).of('i.user_id', userId);
    if (status) query.where('i.status = ?', status);
    return query.orderBy('i.created_at', sort);
  }

  /** Lists the entities of all imports of a user. */
  entities(userId: number, { status, sort = 'desc' }: ListBulkImportsParams): ListQuery<EntityRow> {
    const query = new ListQuery<EntityRow>(ENTITIES).from(OF_USER, userId);
    if (status) query.where('e.status = ?', status);
    return query.orderBy('e.created_at', sort);
  }

  /** Lists the entities of an import. */
  entitiesOf(importId: number, { status, sort = 'desc' }: ListBulkImportsParams): ListQuery<ShortEntityRow> {
    const query = new ListQuery<ShortEntityRow>(SHORT_ENTITIES).of('e.bulk_import_id', importId);
    if (status) query.where('e.status = ?', status);
    return query.orderBy('e.created_at', sort);
  }

  /** Lists the failures of an entity. */
  failuresOf(entityId: number): ListQuery<FailureRow> {
    return new ListQuery<FailureRow>(FAILURES).of('f.entity_id', entityId).orderBy('f.id', 'asc');
  }

  /** Returns an import of the caller, or any one for administrators. @throws 404 */
  async find(id: number, { id: userId, admin }: Reader): Promise<ImportRow> {
    const row = await this.database.one<ImportRow>(ONE, [id, userId, admin]);
    if (!row) throw notFound(KIND);
    return row;
  }

  /** Returns an entity of such an import. @throws 404 for either */
  async findEntity(importId: number, reader: Reader, entityId: number): Promise<ShortEntityRow> {
    const values = [importId, reader.id, reader.admin, entityId];
    const row = await this.database.one<ShortEntityRow>(ONE_ENTITY, values);
    if (row) return row;
    await this.find(importId, reader);
    throw notFound(ENTITY_KIND);
  }
}
