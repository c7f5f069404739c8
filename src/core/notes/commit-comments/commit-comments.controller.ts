import { Controller, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type Caller, type UserCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { takeSlotForWritten } from '#kernel/http/answers/large-answers.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { REPOSITORY_READ } from '#core/repositories/repository-access.js';
import { CommitCommentRecord, presentCommitComment, type CommitPosition } from './commit-comment.record.js';
import { CreateCommitCommentParams, ListCommitCommentsParams } from './commit-comments.params.js';
import { NoteableRegistry } from '../noteables/noteable.registry.js';
import { NotesQueries } from '../notes.queries.js';
import { NotesService } from '../notes.service.js';

/** Comments on commits. */
@Controller('api/v4/projects/:id/repository/commits/:sha/comments')
export class CommitCommentsController {
  constructor(
    private readonly noteables: NoteableRegistry,
    private readonly notes: NotesService,
    private readonly queries: NotesQueries,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(REPOSITORY_READ)
  @ReturnsList(CommitCommentRecord)
  async list(
    @CurrentCaller() caller: Caller,
    @Params() { sha }: ListCommitCommentsParams,
    @Paged() page: Page,
  ): Promise<CommitCommentRecord[]> {
    const commit = await this.noteables.of('Commit').find(caller, sha);
    const rows = await page.load(this.queries.ofCommit(commit));
    return rows.map((row) => presentCommitComment(row, this.links));
  }

  @Post()
  @Access({ project: Role.Reporter, publicRead: true, feature: 'repository' })
  @Returns(CommitCommentRecord, 201)
  async create(
    @CurrentCaller() caller: UserCaller,
    @Params() { sha, note: body, path, line, line_type = 'new' }: CreateCommitCommentParams,
  ): Promise<CommitCommentRecord> {
    const commit = await this.noteables.of('Commit').find(caller, sha);
    const position: CommitPosition | null =
      path === undefined || line === undefined ? null : { path, line, line_type };
    const row = await this.notes.create(caller, commit, { body, ...(position ? { position } : {}) });
    await takeSlotForWritten(row.n_body.length);
    return presentCommitComment(row, this.links);
  }
}
