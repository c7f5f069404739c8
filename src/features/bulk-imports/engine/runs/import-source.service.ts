import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { tokenPurpose } from '../../bulk-import.js';
import { Sources, type SourceApi } from '../../source/source-api.js';
import type { EntityRow } from '../entity.row.js';
import { RelationFailed } from './run-ended.js';

/**
 * Opens the sources of entities with the sealed token of their import. An import that ends without failures
 * removes its token at once; otherwise it is kept for a day for resuming, and then removed by the watch.
 */
@Injectable()
export class ImportSourceService {
  constructor(
    private readonly sources: Sources,
    private readonly box: SecretBox,
  ) {}

  /** Opens the source. @throws RelationFailed if the token is no longer stored, SecretUnreadable */
  open({ importId, sourceUrl, tokenSealed }: EntityRow, signal: AbortSignal): SourceApi {
    if (tokenSealed === null)
      throw new RelationFailed('The access token for the source instance is no longer stored');
    return this.sources.open(sourceUrl, this.box.open(tokenSealed, tokenPurpose(importId)), signal);
  }
}
