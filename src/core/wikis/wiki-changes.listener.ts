import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { changedPages } from './pages/changed-pages.js';
import { wikiBranch } from './pages/wiki-branch.js';
import { WikiPageChanged } from './wiki-page-changed.event.js';
import { titleOfSlug } from './pages/wiki-title.js';

/** Publishes which pages a push or request has changed, in the transaction that records it. */
@Injectable()
export class WikiChangesListener implements OnModuleInit {
  private readonly logger = new Logger(WikiChangesListener.name);

  constructor(
    private readonly events: DomainEvents,
    private readonly repositories: RepositoriesService,
  ) {}

  onModuleInit(): void {
    this.events.on(RefsPushed, (pushed, tx) => this.tell(pushed, tx));
  }

  private async tell({ repository: wiki, changes, userId }: RefsPushed, tx: Tx): Promise<void> {
    if (wiki.kind !== 'wiki') return;
    const repository = await this.repositories.openOrNull(wiki);
    if (!repository) return;
    try {
      await followFirstBranch(repository.path, changes);
      const { ref } = await wikiBranch(repository.path);
      const change = changes.find((one) => one.ref === ref);
      const pages = change ? await changedPages(repository.path, change) : [];
      for (const { action, slug, version, format } of pages)
        await this.events.publish(
          tx,
          new WikiPageChanged(wiki, action, slug, titleOfSlug(slug), userId, version, format),
        );
    } catch (error) {
      // The push is final: changes that cannot be described are not published.
      if (!(error instanceof GitFailure)) throw error;
      this.logger.warn(`Changes of wiki ${wiki.id} could not be read: ${error.message}`);
    }
  }
}

/** Pages are on the branch of HEAD: if that does not exist, the first pushed branch becomes it. */
async function followFirstBranch(repositoryPath: string, changes: readonly RefChange[]): Promise<void> {
  const created = changes.find(
    ({ ref, before, after }) => ref.startsWith('refs/heads/') && before === NO_OBJECT && after !== NO_OBJECT,
  );
  if (!created || (await wikiBranch(repositoryPath)).commit !== null) return;
  await git(repositoryPath, ['symbolic-ref', 'HEAD', created.ref]);
}
