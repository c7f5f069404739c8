import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#kernel/access/caller.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import type { Noteable, NoteableContribution, NoteableType } from './noteable.js';

/** The modules that have things to talk about. */
@Injectable()
export class NoteableRegistry {
  private readonly sources = new Map<NoteableType, NoteableContribution>();

  /** Call it in `onModuleInit`. */
  register(source: NoteableContribution): void {
    this.sources.set(source.type, source);
  }

  /** Who answers for things of a type. @throws Error when nobody does */
  of(type: NoteableType): NoteableContribution {
    const source = this.sources.get(type);
    if (!source) throw new Error(`Nobody answers for notes on ${type}`);
    return source;
  }

  /** Condition: they can read the thing of a type whose id an expression gives; nobody can where nobody answers for it. */
  readable(type: NoteableType, reader: Actor | null, id: string): SqlPiece {
    return this.sources.get(type)?.readable?.(reader, id) ?? { sql: 'false', values: [] };
  }

  /** Condition: the user `u` can read a thing; nobody can where nobody answers for it. */
  readableBy({ type, id }: Noteable): SqlPiece {
    const found = id === null ? undefined : this.sources.get(type)?.readableBy?.(id);
    return found ?? { sql: 'false', values: [] };
  }

  /** The thing that a path of emoji names: its own, or those of a note on it. @throws 404 */
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
