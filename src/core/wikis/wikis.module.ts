import { Module } from '@nestjs/common';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { WikiAttachmentsService } from './wiki-attachments.service.js';
import { WikiChangesListener } from './wiki-changes.listener.js';
import { WikiEdits } from './pages/wiki-edits.js';
import { WikiPageHtml } from './html/wiki-page-html.js';
import { WikiPagesService } from './pages/wiki-pages.service.js';
import { WikiReader } from './pages/wiki-reader.js';
import { GroupWikisController, ProjectWikisController } from './wikis.controllers.js';

/** Wikis of projects and groups: pages over REST, in repositories that git serves too. */
@Module({
  imports: [RepositoriesModule],
  controllers: [ProjectWikisController, GroupWikisController],
  providers: [
    WikiAttachmentsService,
    WikiChangesListener,
    WikiEdits,
    WikiPageHtml,
    WikiPagesService,
    WikiReader,
  ],
})
export class WikisModule {}
