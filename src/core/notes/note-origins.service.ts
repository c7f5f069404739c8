import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { Noteable } from './noteables/noteable.js';
import { NoteableRegistry } from './noteables/noteable.registry.js';

/** Types of objects elsewhere that a system note can refer to. */
export type SourceType = 'Issue' | 'MergeRequest' | 'Epic' | 'Commit';

/** Object elsewhere that a system note refers to; only callers who can read the object can read the note. */
export interface NoteOrigin {
  readonly type: SourceType;
  /** Id of the object; for a commit, id of its project. */
  readonly id: number;
  /** SHA of a commit; empty for other types. */
  readonly sha: string;
}

const SOURCE_TYPES: readonly SourceType[] = ['Issue', 'MergeRequest', 'Epic', 'Commit'];

/** Action of imported mentions; who may read their sources is unknown. */
export const MENTION = 'cross_reference';

const OF_TARGET = 'select x.note_id from note_sources x where x.target_type = ? and x.target_id = ?';

const TELL = `insert into note_sources (note_id, target_type, target_id, source_type, source_id, commit_sha, is_mention)
  values ($1, $2, $3, $4, $5, $6, $7)`;

const COPY = `insert into note_sources (note_id, target_type, target_id, source_type, source_id, commit_sha, is_mention)
  select pairs.new_id, x.target_type, $1, x.source_type, x.source_id, x.commit_sha, x.is_mention
  from unnest($2::bigint[], $3::bigint[]) as pairs (old_id, new_id) join note_sources x on x.note_id = pairs.old_id`;

/**
 * SQL expression: whether system notes on a noteable with the id expression `id` refer to objects elsewhere.
 */
export const hasSourcesSql = (type: 'Issue' | 'MergeRequest' | 'Epic', id: string): string =>
  `exists (select 1 from note_sources xs where xs.target_type = '${type}' and xs.target_id = ${id})`;

/**
 * Records the objects that system notes refer to, and hides these notes from users who cannot read the
 * objects.
 */
@Injectable()
export class NoteOriginsService {
  constructor(private readonly noteables: NoteableRegistry) {}

  /** Records the object of a system note, in the transaction that writes it. */
  async tell(
    tx: Tx,
    noteId: number,
    target: { readonly type: string; readonly id: number },
    source: NoteOrigin,
    isMention: boolean,
  ): Promise<void> {
    await tx.query(TELL, [noteId, target.type, target.id, source.type, source.id, source.sha, isMention]);
  }

  /** Does the same for copied notes on another noteable of the same type. */
  async copy(tx: Tx, targetId: number, oldIds: readonly number[], newIds: readonly number[]): Promise<void> {
    await tx.query(COPY, [targetId, oldIds, newIds]);
  }

  /** SQL condition: the reader of a noteable may read the note `n` on it, by its kind and its origin. */
  readable({ type, id, reader, hasSources, mayReadInternal }: Noteable): SqlPiece {
    const open = mayReadInternal ? [] : ['not n.internal'];
    if (type === 'Snippet' || type === 'Commit') return { sql: open[0] ?? 'true', values: [] };
    // Origins added since the noteable was read apply from the next request.
    const unless = hasSources ? this.sourceReadable(reader) : { sql: 'false', values: [] };
    const values: unknown[] = [type, id, ...unless.values];
    open.push(`n.id not in (${OF_TARGET} and not ${unless.sql})`);
    if (!mayReadInternal) {
      open.push(`(n.system_action is distinct from '${MENTION}' or n.id in (${OF_TARGET}))`);
      values.push(type, id);
    }
    return { sql: open.join(' and '), values };
  }

  /** SQL condition: the reader can read the origin `x`. */
  private sourceReadable(reader: Actor | null): SqlPiece {
    const pieces = SOURCE_TYPES.map((type) => ({
      type,
      ...this.noteables.readable(type, reader, 'x.source_id'),
    }));
    const cases = pieces.map(({ type, sql }) => `when '${type}' then ${sql}`);
    return {
      sql: `case x.source_type ${cases.join(' ')} else false end`,
      values: pieces.flatMap((piece) => piece.values),
    };
  }
}

/** Converts a condition to the end of a statement with this many values before. */
export function numbered({ sql, values }: SqlPiece, before: number): SqlPiece {
  let index = before;
  return { sql: sql.replace(/\?/g, () => `$${(index += 1)}`), values };
}
