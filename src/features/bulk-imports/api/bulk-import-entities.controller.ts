import { Controller, Get, Post, UseGuards } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { MigrationSwitchGuard } from '#core/exchange/migration-switch.guard.js';
import { ControlBulkImport } from './control/control-bulk-import.use-case.js';
import { MigrationRecord } from './bulk-import.record.js';
import { BulkImportEntityRecord, BulkImportFailureRecord } from './bulk-import-entity.record.js';
import { presentEntity, presentFailure, presentShortEntity } from './bulk-import.row.js';
import { FindEntityParams, ListBulkImportsParams, ListEntitiesParams } from './bulk-imports.params.js';
import { BulkImportsQueries } from './bulk-imports.queries.js';

/** Groups and projects of migrations (`api-v4.md` 4.3, `ops.md` 1.1). */
@Controller('api/v4/bulk_imports')
@UseGuards(MigrationSwitchGuard)
export class BulkImportEntitiesController {
  constructor(
    private readonly queries: BulkImportsQueries,
    private readonly control: ControlBulkImport,
  ) {}

  @Get('entities')
  @Access({ user: true })
  @ReturnsList(BulkImportEntityRecord)
  async listAll(
    @CurrentActor() { id }: Actor,
    @Params() params: ListBulkImportsParams,
    @Paged() page: Page,
  ): Promise<BulkImportEntityRecord[]> {
    return (await page.load(this.queries.entities(id, params))).map(presentEntity);
  }

  @Get(':id/entities')
  @Access({ user: true })
  @ReturnsList(MigrationRecord)
  async list(
    @CurrentActor() actor: Actor,
    @Params() params: ListEntitiesParams,
    @Paged() page: Page,
  ): Promise<MigrationRecord[]> {
    await this.queries.find(params.id, actor);
    return (await page.load(this.queries.entitiesOf(params.id, params))).map(presentShortEntity);
  }

  @Get(':id/entities/:entity_id')
  @Access({ user: true })
  @Returns(MigrationRecord)
  async find(
    @CurrentActor() actor: Actor,
    @Params() { id, entity_id: entityId }: FindEntityParams,
  ): Promise<MigrationRecord> {
    return presentShortEntity(await this.queries.findEntity(id, actor, entityId));
  }

  @Get(':id/entities/:entity_id/failures')
  @Access({ user: true })
  @ReturnsList(BulkImportFailureRecord)
  async failures(
    @CurrentActor() actor: Actor,
    @Params() { id, entity_id: entityId }: FindEntityParams,
    @Paged() page: Page,
  ): Promise<BulkImportFailureRecord[]> {
    await this.queries.findEntity(id, actor, entityId);
    return (await page.load(this.queries.failuresOf(entityId))).map(presentFailure);
  }

  @Post(':id/entities/:entity_id/resume')
  @Access({ user: true })
  @Returns(MigrationRecord)
  @Refuses({ 409: 'It has not failed, or its source can no longer be accessed' })
  async resume(
    @CurrentActor() actor: Actor,
    @Params() { id, entity_id: entityId }: FindEntityParams,
  ): Promise<MigrationRecord> {
    await this.queries.findEntity(id, actor, entityId);
    await this.control.resume(entityId);
    return presentShortEntity(await this.queries.findEntity(id, actor, entityId));
  }
}
