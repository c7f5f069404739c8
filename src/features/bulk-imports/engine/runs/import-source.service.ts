import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { tokenPurpose } from '../../bulk-import.js';
import { Sources, type SourceApi } from '../../source/source-api.js';
import type { EntityRow } from '../entity.row.js';
import { RelationFailed } from './run-ended.js';

/**
 * Opens the sources of entities with the sealed token of their import. An import that ends without failed entities and relations forgets its token at
 * once; one with such keeps it for a day, as they can be resumed, and then the watch forgets it.
 */
@Injectable()
export class ImportSourceService {
  constructor(
    private readonly sources: Sources,
    private readonly box: SecretBox,
  ) {}

  /** @throws RelationFailed when the token has been forgotten, SecretUnreadable */
  open({ importId, sourceUrl, tokenSealed }: EntityRow, signal: AbortSignal): SourceApi {
    if (tokenSealed === null)
      throw new RelationFailed('The access token for the source instance is no longer stored');
    return this.sources.open(sourceUrl, this.box.open(tokenSealed, tokenPurpose(importId)), signal);
  }
}
