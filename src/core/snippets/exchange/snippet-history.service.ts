import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { peel } from '#core/repositories/git/resolve.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import {
  RepositoryWritesService,
  type BuildChanges,
} from '#core/repositories/pushes/repository-writes.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';

const FIND = `select author_id as "authorId", default_branch as branch from snippets where id = $1`;

const FORGET = `with forgotten as (delete from imported_snippet_files where snippet_id = $1)
  update snippets set updated_at = coalesce($2, updated_at) where id = $1`;

interface Row {
  readonly authorId: number;
  readonly branch: string;
}

/** Imports the history of a snippet, which replaces the commit created from its record. */
@Injectable()
export class SnippetHistoryService {
  constructor(
    private readonly database: ReadDatabase,
    private readonly repositories: RepositoriesService,
    private readonly writes: RepositoryWritesService,
  ) {}

  /** Opens or creates the repository of a snippet; null if the snippet no longer exists. */
  async open(snippetId: number): Promise<OpenRepository | null> {
    const row = await this.database.one<Row>(FIND, [snippetId]);
    return row && this.repositories.ensure(snippetRepository(snippetId), row.branch);
  }

  /**
   * Makes the commit of `ref` the head of the snippet, subject to push rules; returns the rest of the work to
   * be done in a transaction. @throws errors of push rules
   */
  async adopt(
    snippetId: number,
    repository: OpenRepository,
    ref: string,
    updatedAt: string | null,
  ): Promise<(tx: Tx) => Promise<void>> {
    const row = await this.database.one<Row>(FIND, [snippetId]);
    if (!row) return () => Promise.resolve();
    const pusher = { userId: row.authorId, role: Role.Maintainer, via: 'api' } as const;
    const branch = `refs/heads/${row.branch}`;
    const build: BuildChanges = async () => {
      const [before, after] = [await peel(repository.path, branch), await peel(repository.path, ref)];
      return after === null || after === before ? [] : [{ ref: branch, before: before ?? NO_OBJECT, after }];
    };
    await this.writes.change(repository, pusher, build, { builtOn: branch });
    // Restore the `updated_at` of the source and drop the staged import files.
    return async (tx) => {
      await tx.query(FORGET, [snippetId, updatedAt]);
    };
  }
}
