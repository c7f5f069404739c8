import { Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { HttpError } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { LongRunning } from '#kernel/http/routes/long-running.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { EventParams } from '../live/events.params.js';
import { LiveEventsService } from '../live/live-events.service.js';
import { Page, type PageContext } from '../page-context.js';
import { checkedBulk, checkedSingle } from './checked-entries.js';
import { dryRunNotice } from './form-views.js';
import { BulkForm, MoveFilters, MovePath, SingleForm } from './move-forms.js';
import { MoveOrdersService } from './move-orders.service.js';
import type { MoveKind } from './move-texts.js';
import { MovesQueries } from './moves.queries.js';
import { MOVES_PATH } from './paths.js';
import { kindsOf, StorageMovePagesService } from './storage-move-pages.service.js';

/** Page on which administrators see and request storage moves. */
@Controller('admin/storage_moves')
export class StorageMovePagesController {
  constructor(
    private readonly pages: StorageMovePagesService,
    private readonly live: LiveEventsService,
    private readonly orders: MoveOrdersService,
    private readonly moves: MovesQueries,
    private readonly storages: StoragesService,
  ) {}

  @Get()
  @Access({ page: 'admin' })
  @ReturnsPage()
  list(
    @Page() page: PageContext,
    @Params() filter: MoveFilters,
    @Paged() list: ListPage,
    @CurrentCaller() { tier }: Caller,
  ): Promise<PageAnswer> {
    return this.pages.show({ page, list, tier }, { filter });
  }

  @Get('events')
  @Access({ page: 'admin', lasting: true })
  @LongRunning()
  @ReturnsPage()
  events(
    @Params() params: EventParams,
    @CurrentCaller() { tier }: Caller,
    @Res() response: Response,
  ): Promise<void> {
    return this.live.stream(response, () => this.pages.look(params, kindsOf(tier)), params.until);
  }

  /** Keeps the values after a dry run, so that the next button applies to them. */
  @Post()
  @Access({ page: 'admin' })
  @ReturnsPage()
  async orderAll(
    @Page() page: PageContext,
    @Params() bulk: BulkForm,
    @Paged() list: ListPage,
    @CurrentCaller() { tier }: Caller,
  ): Promise<PageAnswer> {
    const viewing = { page, list, tier };
    const { order, errors } = checkedBulk(bulk, { storages: this.storages.names, kinds: kindsOf(tier) });
    if (!order) return this.pages.show(viewing, { bulk, errors });
    if (bulk.dry_run) {
      const notice = dryRunNotice(order, await this.orders.plan(order));
      return this.pages.show(viewing, { bulk, notice });
    }
    await this.orders.orderAll(order, page.actor);
    return page.redirect(MOVES_PATH, { flash: 'moves_scheduled' });
  }

  @Post('single')
  @Access({ page: 'admin' })
  @ReturnsPage()
  async orderOne(
    @Page() page: PageContext,
    @Params() single: SingleForm,
    @Paged() list: ListPage,
    @CurrentCaller() { tier }: Caller,
  ): Promise<PageAnswer> {
    const { order, errors } = checkedSingle(single, { storages: this.storages.names, kinds: kindsOf(tier) });
    if (!order) return this.pages.show({ page, list, tier }, { single, errors });
    try {
      await this.orders.orderOne(order, page.actor);
    } catch (error) {
      const problems = problemsOf(error, order.kind);
      return this.pages.show({ page, list, tier }, { single, errors: problems });
    }
    return page.redirect(MOVES_PATH, { flash: 'move_scheduled' });
  }

  @Post(':id/reschedule')
  @Access({ page: 'admin' })
  @ReturnsPage()
  async repeat(
    @Page() page: PageContext,
    @Params() { id }: MovePath,
    @Paged() list: ListPage,
    @CurrentCaller() { tier }: Caller,
  ): Promise<PageAnswer> {
    const move = await this.moves.findRepeatable(id, kindsOf(tier));
    try {
      await this.orders.repeat(move, page.actor);
    } catch (error) {
      // No field of the page is at fault.
      const errors = problemsOf(error, move.kind).map(({ text }) => ({ field: null, text }));
      return this.pages.show({ page, list, tier }, { errors });
    }
    return page.redirect(MOVES_PATH, { flash: 'move_scheduled' });
  }
}

/**
 * Assigns errors about an owner or its destination to the fields of their form. @throws the error itself for
 * any other error
 */
function problemsOf(error: unknown, kind: MoveKind): FieldError[] {
  if (error instanceof HttpError && error.status === 404)
    return [{ field: 'owner', text: `There is no such ${kind}` }];
  return fieldErrorsOf(error, (attribute) =>
    attribute === 'destination_storage_name' ? 'owner_destination' : 'owner',
  );
}
