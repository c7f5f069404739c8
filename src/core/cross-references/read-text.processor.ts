import { Injectable } from '@nestjs/common';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Links } from '#kernel/http/links.js';
import { textReferences } from '#core/notes/references/text-references.js';
import { CrossReferencesService } from './cross-references.service.js';
import { ReadTextJob, type WrittenPlace } from './read-text.job.js';
import { WrittenTextsQueries } from './written-texts.queries.js';

/** Reads the present version of a text. */
@Injectable()
export class ReadTextProcessor extends JobProcessor<WrittenPlace> {
  readonly job = ReadTextJob;

  constructor(
    private readonly texts: WrittenTextsQueries,
    private readonly crossReferences: CrossReferencesService,
    private readonly links: Links,
  ) {
    super();
  }

  async process(place: WrittenPlace): Promise<void> {
    const found = await this.texts.find(place);
    if (!found) return;
    const mentions = [{ source: found.source, references: textReferences(found.text, this.links.base) }];
    await this.crossReferences.write(place.actorId, found.place, mentions);
  }
}
