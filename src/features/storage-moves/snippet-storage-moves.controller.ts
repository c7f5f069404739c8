import { Controller, Get, Header, Post, Req, Res, type StreamableFile } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentActor, type Actor } from '#kernel/access/caller.js';
import { Links } from '#kernel/http/links.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsFile, ReturnsList } from '#kernel/http/returns.js';
import { presentSnippetMove } from './present-move.js';
import { ScheduledMovesRecord } from './scheduled-moves.record.js';
import { StorageMoveEvents } from './storage-move-events.js';
import { SnippetMoveRecord } from './storage-move.record.js';
import { FindMove, FindMoveOfOwner, FindOwner, ScheduleAll, ScheduleOne } from './storage-moves.params.js';
import { StorageMoveQueries } from './storage-moves.queries.js';
import { StorageMovesService } from './storage-moves.service.js';

const ALL = 'snippet_repository_storage_moves';
const OF_ONE = 'snippets/:id/repository_storage_moves';
const ID = ':repository_storage_move_id';
const RULE = { admin: true } as const;

/** Moves of snippets (`ops.md` 2). */
@Controller('api/v4')
export class SnippetStorageMovesController {
  constructor(
    private readonly moves: StorageMovesService,
    private readonly queries: StorageMoveQueries,
    private readonly events: StorageMoveEvents,
    private readonly links: Links,
  ) {}

  @Get(ALL)
  @Access(RULE)
  @ReturnsList(SnippetMoveRecord)
  async list(@Paged() page: Page): Promise<SnippetMoveRecord[]> {
    const rows = await page.load(this.queries.list('Snippet', null));
    return rows.map((row) => presentSnippetMove(row, this.links));
  }

  @Post(ALL)
  @Access(RULE)
  @Returns(ScheduledMovesRecord, 202)
  async scheduleAll(
    @CurrentActor() actor: Actor,
    @Params() params: ScheduleAll,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ScheduledMovesRecord> {
    const answer = await this.moves.scheduleAll('Snippet', params, actor);
    if (params.dry_run) response.status(200);
    return answer;
  }

  @Get(`${ALL}/${ID}`)
  @Access(RULE)
  @Returns(SnippetMoveRecord)
  find(@Params() { repository_storage_move_id: id }: FindMove): Promise<SnippetMoveRecord> {
    return this.present(id, null);
  }

  @Get(`${ALL}/${ID}/events`)
  @Access(RULE)
  @ReturnsFile('Server-sent events: the record whenever it has changed, until the move has ended')
  @Header('Cache-Control', 'no-store')
  @Header('X-Accel-Buffering', 'no')
  watch(
    @Params() { repository_storage_move_id: id }: FindMove,
    @Req() { method }: Request,
  ): Promise<StreamableFile> {
    return this.events.stream(method, () => this.present(id, null));
  }

  @Get(OF_ONE)
  @Access(RULE)
  @ReturnsList(SnippetMoveRecord)
  async listOfOne(@Params() { id }: FindOwner, @Paged() page: Page): Promise<SnippetMoveRecord[]> {
    const ownerId = await this.queries.ownerId('Snippet', id);
    const rows = await page.load(this.queries.list('Snippet', ownerId));
    return rows.map((row) => presentSnippetMove(row, this.links));
  }

  @Get(`${OF_ONE}/${ID}`)
  @Access(RULE)
  @Returns(SnippetMoveRecord)
  async findOfOne(
    @Params() { id, repository_storage_move_id: moveId }: FindMoveOfOwner,
  ): Promise<SnippetMoveRecord> {
    return this.present(moveId, await this.queries.ownerId('Snippet', id));
  }

  @Post(OF_ONE)
  @Access(RULE)
  @Returns(SnippetMoveRecord, 201)
  async schedule(@CurrentActor() actor: Actor, @Params() params: ScheduleOne): Promise<SnippetMoveRecord> {
    const owner = {
      ownerType: 'Snippet',
      ownerId: await this.queries.ownerId('Snippet', params.id),
    } as const;
    const wanted = params.destination_storage_name?.trim() || null;
    return this.present(await this.moves.scheduleOne(owner, wanted, actor), null);
  }

  private async present(id: number, ownerId: number | null): Promise<SnippetMoveRecord> {
    return presentSnippetMove(await this.queries.find('Snippet', id, ownerId), this.links);
  }
}
