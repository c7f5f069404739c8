import { Controller, Get, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { HttpError } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { LongRunning } from '#kernel/http/routes/long-running.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { MigrationSwitchGuard } from '#core/exchange/migration-switch.guard.js';
import { ControlBulkImport } from '#features/bulk-imports/api/control/control-bulk-import.use-case.js';
import { presentFailure } from '#features/bulk-imports/api/bulk-import.row.js';
import { FindBulkImportParams, FindEntityParams } from '#features/bulk-imports/api/bulk-imports.params.js';
import { BulkImportsQueries } from '#features/bulk-imports/api/bulk-imports.queries.js';
import { BulkImportProgressQueries } from '#features/bulk-imports/engine/control/bulk-import-progress.queries.js';
import { EventParams, newestOf, shownIds } from '../live/events.params.js';
import { LiveEventsService, type Look } from '../live/live-events.service.js';
import { liveHeading } from '../live/live-heading.js';
import { Page, type PageContext } from '../page-context.js';
import { pageLinks } from '../layout/page-links.view.js';
import { cancelForms, entityItem } from './entity-item.js';
import { entityView } from './entity.view.js';
import { MigrationsQueries } from './migrations.queries.js';
import { entityPath, MIGRATIONS_PATH } from './paths.js';
import { nowOf } from './shown-entity.js';

/** Pages on which users follow their migrations, cancel them, and resume failed ones. */
@Controller(MIGRATIONS_PATH)
@UseGuards(MigrationSwitchGuard)
export class MigrationPagesController {
  constructor(
    private readonly migrations: MigrationsQueries,
    private readonly queries: BulkImportsQueries,
    private readonly progress: BulkImportProgressQueries,
    private readonly control: ControlBulkImport,
    private readonly live: LiveEventsService,
  ) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  async list(@Page() page: PageContext, @Paged() list: ListPage): Promise<PageAnswer> {
    const newestId = await this.migrations.newestId(page.actor.id);
    const entities = await list.load(this.migrations.list(page.actor.id));
    const { csrfToken } = page;
    const here = list.number > 1 ? `${MIGRATIONS_PATH}?page=${list.number}` : MIGRATIONS_PATH;
    const items = entities.map((entity) => entityItem(entity, csrfToken));
    const shown =
      items.length === 0
        ? NOTHING
        : html`<ol class="moves">
            ${items}
          </ol>`;
    const body = html`<section aria-labelledby="migrations-heading">
      ${liveHeading('Groups and projects', 'migrations-heading', here, newestId)} ${shown}
      <div class="actions">${cancelForms(entities, csrfToken)}</div>
      ${pageLinks(MIGRATIONS_PATH, list)}
    </section>`;
    return page.render('Migrations', body, { wide: true, isLive: true });
  }

  @Get('events')
  @Access({ page: 'user', lasting: true })
  @LongRunning()
  @ReturnsPage()
  events(
    @Page() { actor }: PageContext,
    @Params() params: EventParams,
    @Res() response: Response,
  ): Promise<void> {
    const look = async (): Promise<Look> => {
      const [entities, { newer, isMoving }] = await Promise.all([
        this.migrations.now(shownIds(params), actor.id),
        this.migrations.activity(newestOf(params), actor.id),
      ]);
      return {
        items: entities.map(nowOf),
        isMoving,
        news: newer > 0 ? `${newer} more. Refresh to see them.` : null,
      };
    };
    return this.live.stream(response, look, params.until);
  }

  @Get(':id/entities/:entity_id')
  @Access({ page: 'user' })
  @ReturnsPage()
  async show(
    @Page() page: PageContext,
    @Params() { id, entity_id: entityId }: FindEntityParams,
    @Paged() list: ListPage,
  ): Promise<PageAnswer> {
    const entity = await this.migrations.find(id, entityId, page.actor.id);
    const relations = await this.progress.ofEntities([entityId]);
    const failures = await list.load(this.queries.failuresOf(entityId));
    const body = html`<h2>State</h2>
      <ol class="moves">
        ${entityItem(entity, page.csrfToken)}
      </ol>
      ${entityView(relations.get(entityId) ?? [], failures.map(presentFailure))}
      ${pageLinks(entityPath(id, entityId), list)}`;
    return page.render(entity.destination, body, { wide: true });
  }

  @Post(':id/cancel')
  @Access({ page: 'user' })
  @ReturnsPage()
  async cancel(@Page() page: PageContext, @Params() { id }: FindBulkImportParams): Promise<PageAnswer> {
    await this.queries.find(id, page.actor);
    await this.control.cancel(id);
    return page.redirect(MIGRATIONS_PATH, { flash: 'migration_cancelled' });
  }

  @Post(':id/entities/:entity_id/resume')
  @Access({ page: 'user' })
  @ReturnsPage()
  async resume(
    @Page() page: PageContext,
    @Params() { id, entity_id: entityId }: FindEntityParams,
  ): Promise<PageAnswer> {
    await this.queries.findEntity(id, page.actor, entityId);
    const flash = await this.control.resume(entityId).then(
      () => 'migration_resumed' as const,
      (error: unknown) => {
        if (error instanceof HttpError && error.status === 409) return 'migration_not_resumed' as const;
        throw error;
      },
    );
    return page.redirect(MIGRATIONS_PATH, { flash });
  }
}

const NOTHING = html`<p class="card muted">
  Nothing has been migrated yet. Start a migration through the API.
</p>`;
