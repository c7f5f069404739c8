import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { Noteable } from './noteables/noteable.js';
import { NoteableRegistry } from './noteables/noteable.registry.js';

/** What a system note can tell of that lies elsewhere. */
export type SourceType = 'Issue' | 'MergeRequest' | 'Epic' | 'Commit';

/** Something elsewhere of which a system note tells: only who can read it reads the note. */
export interface NoteOrigin {
  readonly type: SourceType;
  /** Of a commit: that of its project. */
  readonly id: number;
  /** Of a commit alone, else empty. */
  readonly sha: string;
}

const SOURCE_TYPES: readonly SourceType[] = ['Issue', 'MergeRequest', 'Epic', 'Commit'];

/** What other installations call a mention; of those that came from there nobody knows who may read their sources. */
export const MENTION = 'cross_reference';

const OF_TARGET = 'select x.note_id from note_sources x where x.target_type = ? and x.target_id = ?';

const TELL = `insert into note_sources (note_id, target_type, target_id, source_type, source_id, commit_sha, is_mention)
  values ($1, $2, $3, $4, $5, $6, $7)`;

const COPY = `insert into note_sources (note_id, target_type, target_id, source_type, source_id, commit_sha, is_mention)
  select pairs.new_id, x.target_type, $1, x.source_type, x.source_id, x.commit_sha, x.is_mention
  from unnest($2::bigint[], $3::bigint[]) as pairs (old_id, new_id) join note_sources x on x.note_id = pairs.old_id`;

/** Scalar expression: whether system notes on a thing, whose id `id` gives, tell of something elsewhere. */
export const hasSourcesSql = (type: 'Issue' | 'MergeRequest' | 'Epic', id: string): string =>
  `exists (select 1 from note_sources xs where xs.target_type = '${type}' and xs.target_id = ${id})`;

/** Keeps of which things elsewhere system notes tell, and these notes from whoever cannot read those. */
@Injectable()
export class NoteOriginsService {
  constructor(private readonly noteables: NoteableRegistry) {}

  /** Says of what a system note on a thing tells, in the transaction that writes it. */
  async tell(
    tx: Tx,
    noteId: number,
    target: { readonly type: string; readonly id: number },
    source: NoteOrigin,
    isMention: boolean,
  ): Promise<void> {
    await tx.query(TELL, [noteId, target.type, target.id, source.type, source.id, source.sha, isMention]);
  }

  /** The same of copies of notes on another thing of the same type. */
  async copy(tx: Tx, targetId: number, oldIds: readonly number[], newIds: readonly number[]): Promise<void> {
    await tx.query(COPY, [targetId, oldIds, newIds]);
  }

  /** Condition: the reader of a thing reads the note `n` on it, as far as its kind and its source are concerned. */
  readable({ type, id, reader, hasSources, mayReadInternal }: Noteable): SqlPiece {
    const open = mayReadInternal ? [] : ['not n.internal'];
    if (type === 'Snippet' || type === 'Commit') return { sql: open[0] ?? 'true', values: [] };
    // What has come since the thing was looked at is judged the next time.
    const unless = hasSources ? this.sourceReadable(reader) : { sql: 'false', values: [] };
    const values: unknown[] = [type, id, ...unless.values];
    open.push(`n.id not in (${OF_TARGET} and not ${unless.sql})`);
    if (!mayReadInternal) {
      open.push(`(n.system_action is distinct from '${MENTION}' or n.id in (${OF_TARGET}))`);
      values.push(type, id);
    }
    return { sql: open.join(' and '), values };
  }

  /** Condition: the reader can read the source `x`. */
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

/** A condition as the end of a statement that has this many values before. */
export function numbered({ sql, values }: SqlPiece, before: number): SqlPiece {
  let index = before;
  return { sql: sql.replace(/\?/g, () => `$${(index += 1)}`), values };
}
