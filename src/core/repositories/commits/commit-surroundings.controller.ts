import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { gitText } from '../git/git.js';
import { REPOSITORY_READ } from '../repository-access.js';
import { CommitRefRecord, CommitSequenceRecord } from './commit-ref.record.js';
import { CommitReadingService } from './commit-reading.service.js';
import { ListRefsParams, ShowSequenceParams } from './commits.params.js';

const FOLDERS = { branch: ['refs/heads/'], tag: ['refs/tags/'], all: ['refs/heads/', 'refs/tags/'] } as const;

/** Facts around a commit: the refs that contain it, and its number of ancestors. */
@Controller('api/v4/projects/:id/repository/commits/:sha')
export class CommitSurroundingsController {
  constructor(private readonly reading: CommitReadingService) {}

  @Get('refs')
  @Access(REPOSITORY_READ)
  @ReturnsList(CommitRefRecord)
  async refs(
    @CurrentProject() project: ProjectSubject,
    @Params() { sha, type = 'all' }: ListRefsParams,
    @Paged() page: Page,
  ): Promise<CommitRefRecord[]> {
    const { repository, id } = await this.reading.resolve(project, sha);
    const args = ['for-each-ref', `--contains=${id}`, '--format=%(refname)', '--', ...FOLDERS[type]];
    const names = (await gitText(repository.path, args)).split('\n').filter((name) => name !== '');
    return page.slice(names.map(presentRef));
  }

  @Get('sequence')
  @Access(REPOSITORY_READ)
  @Returns(CommitSequenceRecord)
  async sequence(
    @CurrentProject() project: ProjectSubject,
    @Params() { sha, first_parent: first }: ShowSequenceParams,
  ): Promise<CommitSequenceRecord> {
    const { repository, id } = await this.reading.resolve(project, sha);
    const args = ['rev-list', '--count', ...(first ? ['--first-parent'] : []), id, '--'];
    return { count: Number(await gitText(repository.path, args)) };
  }
}

const presentRef = (name: string): CommitRefRecord => ({
  type: name.startsWith('refs/heads/') ? 'branch' : 'tag',
  name: name.replace(/^refs\/(heads|tags)\//, ''),
});
