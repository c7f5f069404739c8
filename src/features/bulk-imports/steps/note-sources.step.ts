import { Injectable } from '@nestjs/common';
import { importNoteSources, type NoteSourcesCursor } from '#core/notes/exchange/import-note-sources.js';
import type { StepRun } from '../engine/entity-step.js';

const BEGINNING: NoteSourcesCursor = { type: 'Issue', after: 0 };

/** Connects imported system notes with the objects that they refer to, once all of them exist. */
@Injectable()
export class NoteSourcesStep {
  /** Connects them page by page; idempotent. */
  async run(run: StepRun): Promise<void> {
    const { ownerId } = await run.target();
    let cursor: NoteSourcesCursor | null = (run.cursor as NoteSourcesCursor | null) ?? BEGINNING;
    while (cursor !== null) {
      const from: NoteSourcesCursor = cursor;
      cursor = await run.commit(async (tx) => {
        const next = await importNoteSources(tx, ownerId, from);
        if (next) await run.progress(tx, {}, next);
        return next;
      });
    }
  }
}
