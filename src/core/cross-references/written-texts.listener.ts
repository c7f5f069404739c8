import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { TextWritten } from '#core/activity/text-written.event.js';
import { mayHoldReferences } from '#core/notes/references/text-references.js';
import { ReadTextJob } from './read-text.job.js';

/**
 * Enqueues reading texts that may contain references, so that their authors do not wait. Internal notes and
 * notes on snippets mention nothing.
 */
@Injectable()
export class WrittenTextsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(TextWritten, (event, tx) => this.note(event, tx));
  }

  private async note({ written, actorId }: TextWritten, tx: Tx): Promise<void> {
    const { type, id, noteId, internal, text } = written;
    if (internal || type === 'Snippet' || !mayHoldReferences(text)) return;
    await this.jobs.enqueue(tx, ReadTextJob, { type, id, noteId, actorId });
  }
}
