import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Links } from '#kernel/http/links.js';
import { textReferences } from '#core/notes/references/text-references.js';
import { CrossReferencesService } from './cross-references.service.js';
import { ReadTextJob, type WrittenTextRef } from './read-text.job.js';
import { WrittenTextsQueries } from './written-texts.queries.js';

/** Reads the present version of a text. */
@Injectable()
export class ReadTextProcessor extends JobProcessor<WrittenTextRef> {
  readonly job = ReadTextJob;

  constructor(
    private readonly texts: WrittenTextsQueries,
    private readonly crossReferences: CrossReferencesService,
    private readonly links: Links,
  ) {
    super();
  }

  async process(context: WrittenTextRef): Promise<void> {
    const found = await this.texts.find(context);
    if (!found) return;
    const mentions = [{ source: found.source, references: textReferences(found.text, this.links.base) }];
    await this.crossReferences.write(context.actorId, found.context, mentions);
  }
}
