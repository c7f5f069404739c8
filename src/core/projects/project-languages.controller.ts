import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Returns } from '#kernel/http/answers/returns.js';

/** Share of each programming language in percent; a map, since field names are not fixed. */
export class LanguagesRecord {
  [language: string]: number;
}

/** Languages of a project, as last measured: none before the first push. */
@Controller('api/v4/projects/:id/languages')
export class ProjectLanguagesController {
  constructor(private readonly database: ReadDatabase) {}

  @Get()
  @Access({ anyone: true, project: Role.Guest, publicRead: true, feature: 'repository' })
  @Returns(LanguagesRecord)
  async languages(@CurrentProject() { id }: ProjectSubject): Promise<LanguagesRecord> {
    const row = await this.database.one<{ languages: LanguagesRecord }>(
      'select languages from projects where id = $1',
      [id],
    );
    // jsonb does not preserve the order.
    const shares = Object.entries(row?.languages ?? {}).sort(([, left], [, right]) => right - left);
    return Object.fromEntries(shares);
  }
}
