import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';
import {
  PushReadersRegistry,
  type WriteOfPush,
} from '#core/repositories/pushes/recovery/push-readers.registry.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import { changedPages, type ChangedPage } from './pages/changed-pages.js';
import { wikiBranch } from './pages/wiki-branch.js';
import { WikiPageChanged } from './wiki-page-changed.event.js';
import { titleOfSlug } from './pages/wiki-title.js';

/** Publishes which pages a push or request has changed, in the transaction that records it. */
@Injectable()
export class WikiPushReaderContribution implements OnModuleInit {
  private readonly logger = new Logger(WikiPushReaderContribution.name);

  constructor(
    private readonly readers: PushReadersRegistry,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.readers.register(async (wiki, changes) =>
      wiki.kind === 'wiki' ? this.tellerOf(wiki, await this.read(wiki, changes)) : null,
    );
  }

  private tellerOf({ ownerType, ownerId, kind }: OpenRepository, pages: readonly ChangedPage[]): WriteOfPush {
    const wiki = { ownerType, ownerId, kind };
    return async (tx, userId) => {
      for (const { action, slug, version, format } of pages)
        await this.events.publish(
          tx,
          new WikiPageChanged(wiki, action, slug, titleOfSlug(slug), userId, version, format),
        );
    };
  }

  private async read({ id, path }: OpenRepository, changes: readonly RefChange[]): Promise<ChangedPage[]> {
    try {
      await followFirstBranch(path, changes);
      const { ref } = await wikiBranch(path);
      const change = changes.find((one) => one.ref === ref);
      return change ? await changedPages(path, change) : [];
    } catch (error) {
      // The push is final: changes that cannot be described are not published.
      if (!(error instanceof GitFailure)) throw error;
      this.logger.warn(`Changes of wiki ${id} could not be read: ${error.message}`);
      return [];
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
