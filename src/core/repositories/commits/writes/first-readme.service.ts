import { Injectable, Logger } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { InitialCommitPort } from '#core/projects/writes/initial-commit.port.js';
import { buildCommit } from '../../git/build-commit.js';
import { AuthorsQueries } from '../../pushes/authors.queries.js';
import { NO_OBJECT } from '../../pushes/ref-change.js';
import { RepositoryWritesService } from '../../pushes/repository-writes.service.js';
import { BRANCHES } from '../../refs/read-refs.js';
import { RepositoriesService } from '../../repositories.service.js';
import { projectRepository } from '../../repository-ref.js';

const FIND = 'select name, description, default_branch as branch from projects where id = $1';

/**
 * Creates the README of a new project if its creator wants one, as a commit by the creator on the default
 * branch.
 */
@Injectable()
export class FirstReadmeService implements InitialCommitPort {
  private readonly logger = new Logger(FirstReadmeService.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly repositories: RepositoriesService,
    private readonly writes: RepositoryWritesService,
    private readonly authors: AuthorsQueries,
  ) {}

  async commit(projectId: number, creatorId: number): Promise<void> {
    try {
      await this.write(projectId, creatorId);
    } catch (error) {
      // The project exists already: an empty project is more useful to its creator than an error.
      this.logger.error(`The README of project ${projectId} was not created: ${String(error)}`);
    }
  }

  private async write(projectId: number, creatorId: number): Promise<void> {
    const project = await this.database.one<{ name: string; description: string | null; branch: string }>(
      FIND,
      [projectId],
    );
    if (!project) return;
    const repository = await this.repositories.ensure(projectRepository(projectId));
    const author = await this.authors.of(creatorId);
    const text = [`# ${project.name}`, project.description].filter(Boolean).join('\n\n');
    // Creators of a project may initialize it, regardless of their role in its group.
    await this.writes.change(
      repository,
      { userId: creatorId, role: Role.Maintainer, via: 'api' },
      async (quarantine) => {
        const after = await buildCommit(await quarantine.directory(), {
          parents: [],
          changes: [{ path: 'README.md', content: Buffer.from(`${text}\n`) }],
          message: 'Initial commit',
          author,
          committer: author,
        });
        return [{ ref: BRANCHES + project.branch, before: NO_OBJECT, after }];
      },
    );
  }
}
