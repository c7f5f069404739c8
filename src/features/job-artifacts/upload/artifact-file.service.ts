import { Injectable } from '@nestjs/common';
import { badRequest } from '#kernel/http/errors.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { ArchiveIndex } from '#core/ci/artifacts/archive/archive-index-builder.js';
import { InvalidArchive } from '#core/ci/artifacts/archive/invalid-archive.js';
import type { StagedObject } from '#core/ci/artifacts/artifact-store.service.js';
import { InvalidDotenv, MAX_PACKED_BYTES, parseDotenv } from './dotenv.js';

/** Data read from an uploaded file. */
export interface ReadArtifact {
  readonly index?: ArchiveIndex;
  /** Variables for later jobs. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Reads archives, to index their files, and dotenv reports. */
@Injectable()
export class ArtifactFileService {
  constructor(private readonly storage: ObjectStorage) {}

  /** Reads a file. @throws 400 if it does not match its type */
  async read(fileType: string, staged: StagedObject): Promise<ReadArtifact> {
    const variables = new Map<string, string>();
    try {
      if (fileType === 'archive') return { variables, index: await this.archive(staged) };
      if (fileType === 'dotenv') return { variables: await this.dotenv(staged) };
    } catch (error) {
      if (error instanceof InvalidArchive) throw badRequest(`Invalid archive: ${error.message}`);
      throw error instanceof InvalidDotenv ? badRequest(error.message) : error;
    }
    return { variables };
  }

  /** The archive reader is loaded on first use. */
  private async archive({ key, size }: StagedObject): Promise<ArchiveIndex> {
    const { indexArchive } = await import('#core/ci/artifacts/archive/index-archive.js');
    return indexArchive(this.storage, key, size);
  }

  private async dotenv({ key, size }: StagedObject): Promise<ReadonlyMap<string, string>> {
    if (size > MAX_PACKED_BYTES) throw new InvalidDotenv('Invalid Format');
    return parseDotenv(await this.storage.whole(key, size));
  }
}
