import { Injectable } from '@nestjs/common';
import type { NoteableSource, NoteableType } from './noteable.js';

/** The modules that have things to talk about. */
@Injectable()
export class Noteables {
  private readonly sources = new Map<NoteableType, NoteableSource>();

  /** Call it in `onModuleInit`. */
  register(source: NoteableSource): void {
    this.sources.set(source.type, source);
  }

  /** Who answers for things of a type. @throws Error when nobody does */
  of(type: NoteableType): NoteableSource {
    const source = this.sources.get(type);
    if (!source) throw new Error(`Nobody answers for notes on ${type}`);
    return source;
  }
}
