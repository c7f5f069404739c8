import { Module } from '@nestjs/common';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { WikiAttachmentsService } from './wiki-attachments.service.js';
import { WikiPushReaderContribution } from './wiki-push-reader.contribution.js';
import { WikiEditsService } from './pages/wiki-edits.service.js';
import { WikiPageHtmlPresenter } from './html/wiki-page-html.presenter.js';
import { WikiPagesService } from './pages/wiki-pages.service.js';
import { WikiPageFinder } from './pages/wiki-page.finder.js';
import { GroupWikisController, ProjectWikisController } from './wikis.controllers.js';

/** Wikis of projects and groups: pages over REST, in repositories that git also serves. */
@Module({
  imports: [RepositoriesModule],
  controllers: [ProjectWikisController, GroupWikisController],
  providers: [
    WikiAttachmentsService,
    WikiPushReaderContribution,
    WikiEditsService,
    WikiPageHtmlPresenter,
    WikiPagesService,
    WikiPageFinder,
  ],
})
export class WikisModule {}
