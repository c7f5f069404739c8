import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#kernel/access/caller.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { Noteable, NoteableContribution, NoteableType } from './noteable.js';

/** Registry of the modules with noteables. */
@Injectable()
export class NoteableRegistry {
  private readonly sources = new Map<NoteableType, NoteableContribution>();

  /** Adds a module; call it in `onModuleInit`. */
  register(source: NoteableContribution): void {
    this.sources.set(source.type, source);
  }

  /** Returns the contribution for a type. @throws Error if there is none */
  of(type: NoteableType): NoteableContribution {
    const source = this.sources.get(type);
    if (!source) throw new Error(`No contribution is registered for notes on ${type}`);
    return source;
  }

  /**
   * SQL condition: the reader can read the noteable with an id expression; false for types without a
   * contribution.
   */
  readable(type: NoteableType, reader: Actor | null, id: string): SqlPiece {
    return this.sources.get(type)?.readable?.(reader, id) ?? { sql: 'false', values: [] };
  }

  /** SQL condition: the user `u` can read a noteable; false for types without a contribution. */
  readableBy({ type, id }: Noteable): SqlPiece {
    const found = id === null ? undefined : this.sources.get(type)?.readableBy?.(id);
    return found ?? { sql: 'false', values: [] };
  }

  /** Finds the noteable of an emoji path: its own emoji, or those of a note on it. @throws 404 */
  awardable(
    type: NoteableType,
    caller: Caller,
    ref: number,
    noteId: number | null = null,
  ): Promise<Noteable> {
    const source = this.of(type);
    return source.findAwardable ? source.findAwardable(caller, ref, noteId) : source.find(caller, ref);
  }
}
