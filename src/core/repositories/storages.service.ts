import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '#kernel/config/config.js';
import { unavailable } from '#kernel/http/errors.js';
import { relativePath, type RepositoryRef } from './repository-ref.js';

/** Configured storages of this process. */
@Injectable()
export class StoragesService {
  constructor(private readonly config: Config) {}

  /** Names of the configured storages. */
  get names(): readonly string[] {
    return [...this.config.repositoryStorages.keys()];
  }

  /** Returns the absolute folder of a storage. @throws 503 if it is not configured */
  folder(storage: string): string {
    const folder = this.config.repositoryStorages.get(storage);
    if (folder === undefined) throw unavailable(60);
    return folder;
  }

  /** Returns the path of a repository on a storage, whether it exists or not. */
  path(storage: string, repository: RepositoryRef): string {
    return join(this.folder(storage), relativePath(repository));
  }
}
