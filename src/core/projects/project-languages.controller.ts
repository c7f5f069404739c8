import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { ProjectsQueries } from './projects.queries.js';

/** Share of each programming language in percent; a map, since field names are not fixed. */
export class LanguagesRecord {
  [language: string]: number;
}

/** Languages of a project, as last measured: none before the first push. */
@Controller('api/v4/projects/:id/languages')
export class ProjectLanguagesController {
  constructor(private readonly queries: ProjectsQueries) {}

  @Get()
  @Access({ anyone: true, project: Role.Guest, publicRead: true, feature: 'repository' })
  @Returns(LanguagesRecord)
  languages(@CurrentProject() { id }: ProjectSubject): Promise<LanguagesRecord> {
    return this.queries.languages(id);
  }
}
