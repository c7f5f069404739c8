import { Module } from '@nestjs/common';
import { NotesModule } from '#core/notes/notes.module.js';
import { IssuesModule } from '../issues.module.js';
import { IssueLinksController } from './issue-links.controller.js';
import { IssueLinksQueries } from './issue-links.queries.js';
import { IssueLinksService } from './issue-links.service.js';

/** Links between issues. */
@Module({
  imports: [IssuesModule, NotesModule],
  controllers: [IssueLinksController],
  providers: [IssueLinksQueries, IssueLinksService],
})
export class IssueLinksModule {}
