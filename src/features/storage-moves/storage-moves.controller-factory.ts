import { Controller, Get, Header, Post, Req, Res, type StreamableFile, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { Access, type UserRule } from '#kernel/access/access.js';
import { type Actor, CurrentActor } from '#kernel/access/caller.js';
import type { FieldClass } from '#kernel/http/fields/field-spec.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { ApiRequest } from '#kernel/http/request.js';
import type { Page } from '#kernel/http/paging/page.js';
import { RecordStreams } from '#kernel/http/streams/record-streams.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsFile, ReturnsList, ReturnsOr } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import type { OwnerType } from '#core/repositories/repository-ref.js';
import type { PresentMove } from './present-move.js';
import { ScheduledMovesRecord } from './scheduled-moves.record.js';
import { hasEnded } from './storage-move.js';
import type { StorageMoveRecord } from './storage-move.record.js';
import {
  FindMoveParams,
  FindMoveOfOwnerParams,
  FindOwnerParams,
  ScheduleAllParams,
  ScheduleOneParams,
} from './storage-moves.params.js';
import { StorageMovesQueries } from './storage-moves.queries.js';
import { StorageMovesService } from './storage-moves.service.js';

/** Differences between the routes of types of owners. */
interface MoveRoutes<R extends StorageMoveRecord> {
  readonly ownerType: OwnerType;
  /** Path of the moves of all owners, and that of the owners. */
  readonly paths: readonly [all: string, owners: string];
  readonly rule: UserRule;
  readonly record: FieldClass<R>;
  readonly present: PresentMove<R>;
}

const ID = ':repository_storage_move_id';

/**
 * Creates the controller of moves of one type of owner (`ops.md` 2.1), which have the same routes. `name`:
 * name of the class.
 */
export function storageMovesController<R extends StorageMoveRecord>(
  name: string,
  { ownerType, paths: [all, owners], rule, record, present }: MoveRoutes<R>,
): Type {
  const ofOne = `${owners}/:id/repository_storage_moves`;

  @Controller('api/v4')
  class StorageMovesController {
    constructor(
      private readonly moves: StorageMovesService,
      private readonly queries: StorageMovesQueries,
      private readonly streams: RecordStreams,
      private readonly links: Links,
    ) {}

    @Get(all)
    @Access(rule)
    @ReturnsList(record)
    async list(@Paged() page: Page): Promise<R[]> {
      const rows = await page.load(this.queries.list(ownerType, null));
      return rows.map((row) => present(row, this.links));
    }

    @Post(all)
    @Access(rule)
    @ReturnsOr(ScheduledMovesRecord, 202, {
      record: ScheduledMovesRecord,
      status: 200,
      description: 'With dry_run: what would be moved',
    })
    async scheduleAll(
      @CurrentActor() actor: Actor,
      @Params() params: ScheduleAllParams,
      @Res({ passthrough: true }) response: Response,
    ): Promise<ScheduledMovesRecord> {
      const answer = await this.moves.scheduleAll(ownerType, params, actor);
      if (params.dry_run) response.status(200);
      return answer;
    }

    @Get(`${all}/${ID}`)
    @Access(rule)
    @Returns(record)
    find(@Params() { repository_storage_move_id: id }: FindMoveParams): Promise<R> {
      return this.present(id, null);
    }

    @Get(`${all}/${ID}/events`)
    @Access({ ...rule, lasting: true })
    @ReturnsFile('Server-sent events: the record after each change, until the move ends', {
      type: 'text/event-stream',
    })
    @Header('Cache-Control', 'no-store')
    @Header('X-Accel-Buffering', 'no')
    watch(
      @Params() { repository_storage_move_id: id }: FindMoveParams,
      @Req() request: ApiRequest,
    ): Promise<StreamableFile> {
      return this.streams.stream(request, async () => {
        const record = await this.present(id, null);
        return { record, end: hasEnded(record.state) ? record.state : null };
      });
    }

    @Get(ofOne)
    @Access(rule)
    @ReturnsList(record)
    async listOfOne(@Params() { id }: FindOwnerParams, @Paged() page: Page): Promise<R[]> {
      const ownerId = await this.queries.ownerId(ownerType, id);
      const rows = await page.load(this.queries.list(ownerType, ownerId));
      return rows.map((row) => present(row, this.links));
    }

    @Get(`${ofOne}/${ID}`)
    @Access(rule)
    @Returns(record)
    async findOfOne(@Params() { id, repository_storage_move_id: moveId }: FindMoveOfOwnerParams): Promise<R> {
      return this.present(moveId, await this.queries.ownerId(ownerType, id));
    }

    @Post(ofOne)
    @Access(rule)
    @Returns(record, 201)
    async schedule(@CurrentActor() actor: Actor, @Params() params: ScheduleOneParams): Promise<R> {
      const owner = { ownerType, ownerId: await this.queries.ownerId(ownerType, params.id) };
      const wanted = params.destination_storage_name?.trim() || null;
      return this.present(await this.moves.scheduleOne(owner, wanted, actor), null);
    }

    private async present(id: number, ownerId: number | null): Promise<R> {
      return present(await this.queries.find(ownerType, id, ownerId), this.links);
    }
  }

  return named(StorageMovesController, name);
}
