import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import { UNFINISHED } from '#features/storage-moves/storage-move.js';
import type { MoveFilters } from './move-forms.js';
import { OWNER_TYPES, type MoveKind } from './move-texts.js';
import type { ShownMove } from './shown-move.js';

const SELECT = `m.id, lower(m.owner_type) as kind, m.owner_id as "ownerId", m.source_storage as source,
  m.destination_storage as destination, m.state, m.repositories_done as "repositoriesDone",
  m.repositories_total as "repositoriesTotal", m.bytes_done as "bytesDone", m.bytes_total as "bytesTotal",
  m.error_message as "errorMessage", m.created_at as "createdAt", 
  (m.journal -> 0 ->> 'at')::timestamptz as "startedAt", case when m.${UNFINISHED} then null else m.updated_at end as "endedAt",
  m.state = 'failed' and coalesce(p.id, s.id, n.id) is not null and not exists (select from storage_moves later
    where later.owner_type = m.owner_type and later.owner_id = m.owner_id and later.id > m.id) as "mayRepeat",
  coalesce(p.full_path, s.title, n.full_path, m.owner_type || ' ' || m.owner_id || ' (removed)') as name`;

/**
 * `= any(array[...])` is an equality that cannot be hashed, so the rows stay in the order of the moves'
 * index.
 */
const FROM = `storage_moves m
  left join projects p on m.owner_type = 'Project' and p.id = any(array[m.owner_id])
  left join snippets s on m.owner_type = 'Snippet' and s.id = any(array[m.owner_id])
  left join namespaces n on m.owner_type = 'Group' and n.id = any(array[m.owner_id])`;

const SHAPE: ListShape = {
  kind: 'Repository Storage Move',
  select: SELECT,
  from: FROM,
  countFrom: 'storage_moves m',
  deepFrom: 'storage_moves m',
  key: 'm.id',
};

const NOW = `select ${SELECT} from ${FROM} where m.id = any($1::bigint[]) and m.owner_type = any($2::text[]) order by m.id`;
const ACTIVITY = `select (select count(*) from (select 1 from storage_moves
    where id > $1 and owner_type = any($2::text[]) limit 1000) found) as newer,
  exists (select 1 from storage_moves where ${UNFINISHED} and owner_type = any($2::text[])) as "isMoving"`;

/** What happens besides the moves shown on a page. */
export interface Activity {
  /** Number of moves newer than the newest one that the page knows, counted up to 1,000. */
  readonly newer: number;
  /** Whether any move is in progress. */
  readonly isMoving: boolean;
}

/** Queries of the storage move pages. */
@Injectable()
export class MovesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the moves of the given kinds that match the filter, newest first. */
  list(filter: MoveFilters, kinds: readonly MoveKind[]): ListQuery<ShownMove> {
    const shown = filter.kind === '' ? kinds : kinds.filter((kind) => kind === filter.kind);
    const query = new ListQuery<ShownMove>(SHAPE).orderBy('m.id', 'desc');
    query.where('m.owner_type = any(?::text[])', typesOf(shown));
    // Moves in a rare state may be far apart.
    if (filter.state !== '') query.where('m.state = ?', filter.state).long();
    return query;
  }

  /** Returns the current state of the given moves, leaving out ids of other kinds. */
  now(ids: readonly number[], kinds: readonly MoveKind[]): Promise<ShownMove[]> {
    return this.database.short<ShownMove>(NOW, [ids, typesOf(kinds)]);
  }

  /** Finds a failed move that is the last one of its owner. @throws 404 for any other */
  async findRepeatable(id: number, kinds: readonly MoveKind[]): Promise<ShownMove> {
    const [move] = await this.now([id], kinds);
    if (!move?.mayRepeat) throw notFound('Repository Storage Move');
    return move;
  }

  /** Returns what happens besides the moves shown; `newestId` is the newest id that the page knows. */
  async activity(newestId: number, kinds: readonly MoveKind[]): Promise<Activity> {
    const row = await this.database.one<Activity>(ACTIVITY, [newestId, typesOf(kinds)]);
    return row ?? { newer: 0, isMoving: false };
  }

  /** The id of the newest move, or 0 if there is none. */
  async newestId(): Promise<number> {
    const row = await this.database.one<{ id: number | null }>('select max(id) as id from storage_moves', []);
    return row?.id ?? 0;
  }
}

const typesOf = (kinds: readonly MoveKind[]): string[] => kinds.map((kind) => OWNER_TYPES[kind]);
