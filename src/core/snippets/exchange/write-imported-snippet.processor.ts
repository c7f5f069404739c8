import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { SnippetRepositoryService } from '../files/snippet-repository.service.js';
import { WriteImportedSnippetJob } from '../exchange/write-imported-snippet.job.js';

const FIND = `select s.author_id as "authorId", s.default_branch as branch, s.updated_at as "updatedAt" from snippets s
  where s.id = $1 and exists (select 1 from imported_snippet_files f where f.snippet_id = s.id)`;

const FILES =
  'select path, content from imported_snippet_files where snippet_id = $1 order by path collate "C"';

/**
 * As after every push; also repeats this for a run interrupted after its commit. A snippet that got its
 * history in the meantime has other files.
 */
const FINISH = `update snippets set file_paths = $2, updated_at = $3
  where id = $1 and exists (select 1 from imported_snippet_files f where f.snippet_id = $1)`;

const FORGET = 'delete from imported_snippet_files where snippet_id = $1';

interface Row {
  readonly authorId: number;
  readonly branch: string;
  readonly updatedAt: Date;
}

/** Idempotent: a repository with a commit gets no other, and the staged files are removed last. */
@Injectable()
export class WriteImportedSnippetProcessor extends JobProcessor<Readonly<{ snippetId: number }>> {
  readonly job = WriteImportedSnippetJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly repository: SnippetRepositoryService,
  ) {
    super();
  }

  async process({ snippetId }: Readonly<{ snippetId: number }>): Promise<void> {
    const row = await this.database.one<Row>(FIND, [snippetId]);
    if (!row) return;
    const files = await this.database.long<{ path: string; content: Buffer }>(FILES, [snippetId]);
    const pusher = { userId: row.authorId, role: Role.Maintainer, via: 'api' } as const;
    await this.repository.begin(pusher, {
      snippetId,
      branch: row.branch,
      message: 'Initial commit',
      changes: files.map(({ path, content }) => ({ path, content })),
    });
    await this.transactions.run(async (tx) => {
      await tx.query(FINISH, [snippetId, files.map(({ path }) => path), row.updatedAt]);
      await tx.query(FORGET, [snippetId]);
    });
  }
}
