import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { ProjectCaller, Actor } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { readableProjects, type SqlPiece } from '#core/projects/lists/readable-projects.js';
import { CommitReadingService } from '#core/repositories/commits/commit-reading.service.js';
import { findCommit } from '#core/repositories/git/commit-log.js';
import type { Noteable, NoteableContribution } from './noteable.js';
import { NoteableRegistry } from './noteable.registry.js';

/** Makes commits noteables. */
@Injectable()
export class CommitNoteableContribution implements NoteableContribution, OnModuleInit {
  readonly type = 'Commit';

  constructor(
    private readonly noteables: NoteableRegistry,
    private readonly reading: CommitReadingService,
  ) {}

  onModuleInit(): void {
    this.noteables.register(this);
  }

  async find({ actor, role, subject }: ProjectCaller, ref: number | string): Promise<Noteable> {
    const project = subject;
    const { repository, id } = await this.reading.resolve(project, String(ref));
    const commit = await findCommit(repository.path, id);
    if (!commit) throw notFound('Commit');
    return {
      type: 'Commit',
      id: null,
      iid: null,
      commitId: id,
      projectId: project.id,
      groupId: null,
      title: commit.title,
      authorId: null,
      webPath: `/${project.fullPath}/-/commit/${id}`,
      reader: actor,
      hasSources: false,
      mayComment: actor !== null,
      mayReadInternal: false,
      mayAdminNotes: role >= Role.Maintainer,
    };
  }

  /** A commit has no id to ask by. */
  readersAmong(): Promise<ReadonlySet<number>> {
    return Promise.resolve(new Set());
  }

  readable(reader: Actor | null, projectId: string): SqlPiece {
    const { sql, values } = readableProjects(reader, 'repository', Role.Reporter);
    return { sql: `exists (select 1 from projects p where p.id = ${projectId} and ${sql})`, values };
  }
}
