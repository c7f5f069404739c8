import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';
import type { OwnerType } from '#core/repositories/repository-ref.js';

/** Row of a move with facts of the owner; these are null if it no longer exists. */
export interface MoveRow {
  readonly id: number;
  readonly created_at: string;
  readonly state: string;
  readonly source_storage: string;
  readonly destination_storage: string;
  readonly error_message: string | null;
  readonly digest: string | null;
  readonly repositories_done: number;
  readonly repositories_total: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
  readonly o_id: number | null;
  readonly o_name: string;
  readonly o_description: string | null;
  readonly o_path: string;
  readonly o_full_path: string | null;
  readonly o_full_name: string;
  readonly o_visibility: Visibility;
  readonly o_project_id: number | null;
  readonly o_created_at: string;
  readonly o_updated_at: string;
}

/** Select list of the move. */
export const STORAGE_MOVE_COLUMNS = `m.id, ${isoTimeSql('m.created_at')} as created_at, m.state, m.source_storage, m.destination_storage,
  m.error_message, m.digest, m.repositories_done, m.repositories_total, m.bytes_done, m.bytes_total`;

/**
 * `= any(array[...])` is an equality that cannot be hashed: the rows stay in the order of the moves' index.
 */
export const OWNER_JOINS: Readonly<Record<OwnerType, string>> = {
  Project: 'left join projects o on o.id = any(array[m.owner_id])',
  Group: 'left join namespaces o on o.id = any(array[m.owner_id])',
  Snippet: `left join snippets o on o.id = any(array[m.owner_id])
    left join projects p on p.id = any(array[o.project_id])`,
};

/** Select list of the owner. */
export const OWNER_COLUMNS: Readonly<Record<OwnerType, string>> = {
  Project: `o.id as o_id, o.name as o_name, o.description as o_description, o.path as o_path, o.full_path as o_full_path,
    o.full_name as o_full_name, ${isoTimeSql('o.created_at')} as o_created_at`,
  Group: 'o.id as o_id, o.name as o_name, o.full_path as o_full_path',
  Snippet: `o.id as o_id, o.title as o_name, o.description as o_description, o.visibility as o_visibility,
    o.project_id as o_project_id, p.full_path as o_full_path, ${isoTimeSql('o.created_at')} as o_created_at,
    ${isoTimeSql('o.updated_at')} as o_updated_at`,
};
