import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import type { OwnerType } from '#core/repositories/repository-ref.js';
import { MOVE_KINDS } from './storage-move.js';
import type { MoveRow } from './storage-move.row.js';
import { OWNER_COLUMNS, OWNER_JOINS, STORAGE_MOVE_COLUMNS } from './storage-move.row.js';

const KIND = 'Repository Storage Move';

const shape = (type: OwnerType): ListShape => ({
  kind: KIND,
  select: `${STORAGE_MOVE_COLUMNS}, ${OWNER_COLUMNS[type]}`,
  from: `storage_moves m ${OWNER_JOINS[type]}`,
  countFrom: 'storage_moves m',
  deepFrom: 'storage_moves m',
  key: 'm.id',
});

const SHAPES: Readonly<Record<OwnerType, ListShape>> = {
  Project: shape('Project'),
  Group: shape('Group'),
  Snippet: shape('Snippet'),
};

const findOne = (type: OwnerType): string => `select ${SHAPES[type].select} from ${SHAPES[type].from}
  where m.id = $1 and m.owner_type = '${type}' and ($2::bigint is null or m.owner_id = $2)`;

const BY_ID: Readonly<Record<OwnerType, string>> = {
  Project: `select o.id from projects o where o.id = $1 and ${MOVE_KINDS.Project.alive}`,
  Group: `select o.id from namespaces o where o.id = $1 and ${MOVE_KINDS.Group.alive}`,
  Snippet: `select o.id from snippets o where o.id = $1 and ${MOVE_KINDS.Snippet.alive}`,
};

const BY_PATH: Readonly<Record<OwnerType, string | null>> = {
  Project: `select o.id from routes r join projects o on o.id = r.source_id
    where r.path = lower($1) and r.source_type = 'Project' and ${MOVE_KINDS.Project.alive}`,
  Group: `select o.id from routes r join namespaces o on o.id = r.source_id
    where r.path = lower($1) and r.source_type = 'Namespace' and ${MOVE_KINDS.Group.alive}`,
  Snippet: null,
};

/** Reads moves and their owners. */
@Injectable()
export class StorageMovesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the moves of a type of owner, or of one owner, newest first. */
  list(ownerType: OwnerType, ownerId: number | null): ListQuery<MoveRow> {
    const query = new ListQuery<MoveRow>(SHAPES[ownerType]).of('m.owner_type', ownerType, 'text');
    if (ownerId !== null) query.where('m.owner_id = ?', ownerId);
    return query.orderBy('m.id', 'desc');
  }

  /** Returns a move, optionally of one owner. @throws 404 */
  async find(ownerType: OwnerType, id: number, ownerId: number | null = null): Promise<MoveRow> {
    const row = await this.database.one<MoveRow>(findOne(ownerType), [id, ownerId]);
    if (!row) throw notFound(KIND);
    return row;
  }

  /** Returns the id of an owner by its id or full path; snippets have no path. @throws 404 */
  async ownerId(ownerType: OwnerType, name: string): Promise<number> {
    const isId = /^\d{1,15}$/.test(name);
    const text = isId ? BY_ID[ownerType] : BY_PATH[ownerType];
    const row = text === null ? null : await this.database.one<{ id: number }>(text, [name]);
    if (!row) throw notFound(MOVE_KINDS[ownerType].title);
    return row.id;
  }
}
