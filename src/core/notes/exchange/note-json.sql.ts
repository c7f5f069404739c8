import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { NoteableType } from '../noteables/noteable.js';
import { emojiJson } from '../exchange/emoji.js';

/**
 * SQL condition: system notes refer only to objects of the same project: others might reveal what readers of
 * the import may not see.
 */
const TELLS_OF_OWN = `(xs.source_type = 'Commit' and xs.source_id = xn.project_id
  or xs.source_type = 'Issue' and exists (select 1 from issues xi where xi.id = xs.source_id and xi.project_id = xn.project_id)
  or xs.source_type = 'MergeRequest' and exists (select 1 from merge_requests xm where xm.id = xs.source_id and xm.project_id = xn.project_id))`;

/**
 * SQL expression: the notes of a noteable in order, as JSON of the attribute `notes`; read by the index of
 * its notes.
 */
export const notesJson = (type: Exclude<NoteableType, 'Commit'>, id: string): string =>
  `(select coalesce(json_agg(json_build_object('id', xn.id, 'note', xn.body, 'noteable_type', xn.noteable_type, 'author_id', xn.author_id,
      'author', (select json_build_object('name', xa.name) from users xa where xa.id = xn.author_id),
      'created_at', ${isoTimeSql('xn.created_at')}, 'updated_at', ${isoTimeSql('xn.updated_at')}, 'system', xn.system, 'type', xn.type,
      'discussion_id', xn.discussion_id, 'position', xn.position, 'original_position', xn.position,
      'resolved_at', ${isoTimeSql('xn.resolved_at')}, 'resolved_by_id', xn.resolved_by_id, 'confidential', xn.internal, 'internal', xn.internal,
      'award_emoji', ${emojiJson('Note', 'xn.id')},
      'system_note_metadata', case when xn.system_action is not null then json_build_object('action', xn.system_action) end) order by xn.id), '[]')
    from notes xn where xn.noteable_type = '${type}' and xn.noteable_id = ${id}
      and coalesce((select ${TELLS_OF_OWN} is true from note_sources xs where xs.note_id = xn.id), true))`;
