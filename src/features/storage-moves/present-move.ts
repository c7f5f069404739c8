import type { Values } from '#kernel/http/fields/derived-fields.js';
import type { Links } from '#kernel/http/links.js';
import { snippetUrls } from '#core/snippets/snippet-urls.js';
import type {
  GroupMoveRecord,
  MovedSnippetRecord,
  ProjectMoveRecord,
  SnippetMoveRecord,
  StorageMoveRecord,
} from './storage-move.record.js';
import type { MoveRow } from './storage-move.row.js';

/** Presents a row. */
export type PresentMove<Record extends StorageMoveRecord> = (row: MoveRow, links: Links) => Record;

function presentMove(row: MoveRow): Values<StorageMoveRecord> {
  const { repositories_done, repositories_total, bytes_done, bytes_total } = row;
  return {
    id: row.id,
    created_at: row.created_at,
    state: row.state.replace('_', ' '),
    source_storage_name: row.source_storage,
    destination_storage_name: row.destination_storage,
    error_message: row.error_message,
    digest: row.digest,
    progress: { repositories_done, repositories_total, bytes_done, bytes_total },
  };
}

/** Presents the move of a project. */
export const presentProjectMove: PresentMove<ProjectMoveRecord> = (row) => ({
  ...presentMove(row),
  project:
    row.o_id === null
      ? null
      : {
          id: row.o_id,
          description: row.o_description,
          name: row.o_name,
          name_with_namespace: row.o_full_name,
          path: row.o_path,
          path_with_namespace: row.o_full_path ?? '',
          created_at: row.o_created_at,
        },
});

/** Presents the move of a group. */
export const presentGroupMove: PresentMove<GroupMoveRecord> = (row, links) => ({
  ...presentMove(row),
  group:
    row.o_id === null
      ? null
      : { id: row.o_id, web_url: links.group(row.o_full_path ?? ''), name: row.o_name },
});

/** Presents the move of a snippet. */
export const presentSnippetMove: PresentMove<SnippetMoveRecord> = (row, links) => ({
  ...presentMove(row),
  snippet: row.o_id === null ? null : presentSnippet(row, row.o_id, links),
});

function presentSnippet(row: MoveRow, id: number, links: Links): MovedSnippetRecord {
  return {
    id,
    title: row.o_name,
    description: row.o_description,
    visibility: row.o_visibility,
    updated_at: row.o_updated_at,
    created_at: row.o_created_at,
    project_id: row.o_project_id,
    ...snippetUrls(id, row.o_project_id, row.o_full_path, links).urls,
  };
}
