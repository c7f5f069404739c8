import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { nextIds } from '#kernel/queue/rows-apart.js';
import { SnippetSizesService } from '#core/repositories/measure/snippet-sizes.service.js';
import { RepositoryRemovalService } from '#core/repositories/removal/repository-removal.service.js';

/** Snippets per batch in background work. */
const BATCH = 500;

const OF_AUTHOR = 'select id from snippets where author_id = $1 order by id limit $2';

const GIVE_AWAY = 'update snippets set author_id = $2 where author_id = $1 and project_id is not null';

/**
 * Snippets in creation for longer than any request takes; imported ones for as long as their job is retried.
 */
const UNFINISHED = `select s.id from snippets s where s.file_paths = '{}' and s.created_at < now() - interval '1 hour'
  and not exists (select 1 from imported_snippet_files f where f.snippet_id = s.id and f.created_at > now() - interval '7 days')
  and not exists (select 1 from repositories r join running_pushes w on w.repository_id = r.id
    where r.owner_type = 'Snippet' and r.owner_id = s.id)`;

const NEXT_UNFINISHED = `${UNFINISHED} and s.id > $1 order by s.id limit ${BATCH}`;

const STILL_UNFINISHED = `${UNFINISHED} and s.id = any($1::bigint[]) order by s.id for update of s skip locked`;

const DELETE = `with gone as (delete from snippets where id = any($1::bigint[]) returning project_id)
  select distinct project_id as id from gone where project_id is not null`;

/** Removes snippets with their repositories. */
@Injectable()
export class RemoveSnippets {
  constructor(
    private readonly repositories: RepositoryRemovalService,
    private readonly sizes: SnippetSizesService,
  ) {}

  /** Removes snippets; their repositories are removed from disk after the commit. */
  async remove(tx: Tx, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.repositories.removeAll(tx, 'Snippet', ids);
    const projects = await tx.query<{ id: number }[]>(DELETE, [ids]);
    await this.sizes.sum(
      tx,
      projects.map(({ id }) => id),
    );
  }

  /** Removes the snippets of a user; those of projects go to an heir, if given. */
  async removeOf(tx: Tx, authorId: number, heirId: number | null): Promise<void> {
    if (heirId !== null) await tx.query(GIVE_AWAY, [authorId, heirId]);
    while ((await this.removeFound(tx, OF_AUTHOR, [authorId, BATCH])) > 0);
  }

  /** Returns the ids of the next snippets whose repository was never written. */
  findUnfinished(tx: Tx, after: number | null): Promise<number[]> {
    return nextIds(tx, NEXT_UNFINISHED, after);
  }

  /** Removes those of the snippets whose repository still was not written. */
  async removeUnfinished(tx: Tx, ids: readonly number[]): Promise<void> {
    await this.removeFound(tx, STILL_UNFINISHED, [ids]);
  }

  private async removeFound(tx: Tx, text: string, values: readonly unknown[]): Promise<number> {
    const rows = await tx.query<{ id: number }[]>(text, [...values]);
    await this.remove(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.length;
  }
}
