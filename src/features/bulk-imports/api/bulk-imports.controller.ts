import {
  Controller,
  Get,
  Header,
  Post,
  Req,
  Res,
  UseFilters,
  UseGuards,
  type StreamableFile,
} from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, type Actor, CurrentActor } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { LongRunning } from '#kernel/http/routes/long-running.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { RecordStreams } from '#kernel/http/streams/record-streams.js';
import { Returns, ReturnsFile, ReturnsList, ReturnsOr } from '#kernel/http/answers/returns.js';
import { MigrationSwitchGuard } from '#core/exchange/migration-switch.guard.js';
import { ControlBulkImport } from './control/control-bulk-import.use-case.js';
import { BulkImportRecord } from './bulk-import.record.js';
import { BulkImportProgressRecord } from './bulk-import-progress.record.js';
import { presentImport } from './bulk-import.row.js';
import { CountRefused } from './count-refused.filter.js';
import {
  CreateBulkImportParams,
  FindBulkImportParams,
  ListBulkImportsParams,
} from './bulk-imports.params.js';
import { BulkImportsQueries } from './bulk-imports.queries.js';
import { RequestBulkImport } from './creation/request-bulk-import.use-case.js';
import { AskedBulkImportRecord } from './dry-run/dry-run.record.js';
import { ProgressPresenter } from './control/progress.presenter.js';

/** Migrations from another instance (`api-v4.md` 4.3, `ops.md` 1.1). */
@Controller('api/v4/bulk_imports')
@UseGuards(MigrationSwitchGuard)
export class BulkImportsController {
  constructor(
    private readonly imports: RequestBulkImport,
    private readonly queries: BulkImportsQueries,
    private readonly control: ControlBulkImport,
    private readonly progress: ProgressPresenter,
    private readonly streams: RecordStreams,
  ) {}

  @Post()
  @UseFilters(CountRefused)
  @Access({ user: true })
  @LongRunning()
  @ReturnsOr(AskedBulkImportRecord, 201, {
    record: AskedBulkImportRecord,
    status: 200,
    description: 'With dry_run: what would be created',
  })
  async create(
    @CurrentActor() actor: Actor,
    @Params() params: CreateBulkImportParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AskedBulkImportRecord> {
    if (params.dry_run) {
      const plan = await this.imports.plan(actor, params);
      response.status(200);
      return plan;
    }
    return this.present(await this.imports.create(actor, params), actor);
  }

  @Get()
  @Access({ user: true })
  @ReturnsList(BulkImportRecord)
  async list(
    @CurrentActor() { id }: Actor,
    @Params() params: ListBulkImportsParams,
    @Paged() page: Page,
  ): Promise<BulkImportRecord[]> {
    return (await page.load(this.queries.list(id, params))).map(presentImport);
  }

  @Get(':id')
  @Access({ user: true })
  @Returns(BulkImportRecord)
  find(@CurrentActor() actor: Actor, @Params() { id }: FindBulkImportParams): Promise<BulkImportRecord> {
    return this.present(id, actor);
  }

  @Post(':id/cancel')
  @Access({ user: true })
  @Returns(BulkImportRecord)
  async cancel(
    @CurrentActor() actor: Actor,
    @Params() { id }: FindBulkImportParams,
  ): Promise<BulkImportRecord> {
    await this.queries.find(id, actor);
    await this.control.cancel(id);
    return this.present(id, actor);
  }

  @Get(':id/progress')
  @Access({ user: true })
  @Returns(BulkImportProgressRecord)
  async show(
    @CurrentActor() actor: Actor,
    @Params() { id }: FindBulkImportParams,
  ): Promise<BulkImportProgressRecord> {
    return this.progress.find(id, actor);
  }

  @Get(':id/events')
  @Access({ user: true, lasting: true })
  @ReturnsFile('Server-sent events: the progress after each change, until the migration ends')
  @Header('Cache-Control', 'no-store')
  @Header('X-Accel-Buffering', 'no')
  watch(@Params() { id }: FindBulkImportParams, @Req() request: ApiRequest): Promise<StreamableFile> {
    // Each heartbeat runs the guards again, which may change the caller's rights.
    const actor = (): Actor => (request.access as UserCaller).actor;
    return this.streams.stream(request, () => this.progress.watch(id, actor()));
  }

  private async present(id: number, actor: Actor): Promise<BulkImportRecord> {
    return presentImport(await this.queries.find(id, actor));
  }
}
