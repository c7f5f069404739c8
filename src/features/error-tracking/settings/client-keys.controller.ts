import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentActor,
  CurrentCaller,
  CurrentProject,
  type Actor,
  type Caller,
  type ProjectSubject,
} from '#kernel/access/caller.js';
import { seesSecrets } from '#kernel/access/credential-bounds.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ErrorTrackingClientKeyRecord, presentClientKey } from './client-key.record.js';
import { ClientKeysService } from './client-keys.service.js';
import { ClientKeyPath } from './error-tracking-settings.params.js';

/** Keys with which applications report errors (`api-v4.md` 4.6). */
@Controller('api/v4/projects/:id/error_tracking/client_keys')
export class ClientKeysController {
  constructor(
    private readonly keys: ClientKeysService,
    private readonly links: Links,
  ) {}

  @Get()
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @ReturnsList(ErrorTrackingClientKeyRecord)
  async list(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentCaller() { credential }: Caller,
    @Paged() page: Page,
  ): Promise<ErrorTrackingClientKeyRecord[]> {
    const rows = await page.load(this.keys.list(id));
    return rows.map((row) => presentClientKey(row, this.links.base, seesSecrets(credential)));
  }

  @Post()
  @Access({ project: Role.Maintainer, feature: 'monitor' })
  @Returns(ErrorTrackingClientKeyRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
  ): Promise<ErrorTrackingClientKeyRecord> {
    return presentClientKey(await this.keys.create(project, actor), this.links.base, true);
  }

  /** Removes a key named in the path, or in the body as by a common client (`ops.md` 0). */
  @Delete([':key_id', ''])
  @Access({ project: Role.Maintainer, archived: true })
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor,
    @Params() { key_id: id }: ClientKeyPath,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.keys.remove(project, actor, id, unmodified);
  }
}
