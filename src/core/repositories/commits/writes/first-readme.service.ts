import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { InitialCommitRegistry } from '#core/projects/writes/initial-commit.registry.js';
import { buildCommit } from '../../git/build-commit.js';
import { AuthorsQueries } from '../../pushes/authors.queries.js';
import { NO_OBJECT } from '../../pushes/ref-change.js';
import { RepositoryWritesService } from '../../pushes/repository-writes.service.js';
import { BRANCHES } from '../../refs/read-refs.js';
import { RepositoriesService } from '../../repositories.service.js';
import { projectRepository } from '../../repository-ref.js';

const FIND = 'select name, description, default_branch as branch from projects where id = $1';

/** The README with which a project begins where its creator wants one, in the creator's name, on the default branch. */
@Injectable()
export class FirstReadmeService implements OnModuleInit {
  private readonly logger = new Logger(FirstReadmeService.name);

  constructor(
    private readonly beginnings: InitialCommitRegistry,
    private readonly database: ReadDatabase,
    private readonly repositories: RepositoriesService,
    private readonly writes: RepositoryWritesService,
    private readonly authors: AuthorsQueries,
  ) {}

  onModuleInit(): void {
    this.beginnings.register(async (projectId, actor) => {
      try {
        await this.commit(projectId, actor);
      } catch (error) {
        // The project is there by then: its creator is better told of it, empty, than of a failure.
        this.logger.error(`Project ${projectId} begins without its README: ${String(error)}`);
      }
    });
  }

  private async commit(projectId: number, actor: Actor): Promise<void> {
    const project = await this.database.one<{ name: string; description: string | null; branch: string }>(
      FIND,
      [projectId],
    );
    if (!project) return;
    const repository = await this.repositories.ensure(projectRepository(projectId));
    const author = await this.authors.of(actor.id);
    const text = [`# ${project.name}`, project.description].filter(Boolean).join('\n\n');
    // Whoever may create a project may begin it, whatever role they get in its group.
    await this.writes.change(
      repository,
      { userId: actor.id, role: Role.Maintainer, via: 'api' },
      async (quarantine) => {
        const after = await buildCommit(await quarantine.place(), {
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
