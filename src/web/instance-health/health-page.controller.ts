import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { InstanceHealthQueries } from '#features/instance-health/instance-health.queries.js';
import { Page, type PageContext } from '../page-context.js';
import { healthView } from './health.view.js';

/** Page on which administrators see the health of the instance. */
@Controller('admin/health')
export class HealthPageController {
  constructor(private readonly health: InstanceHealthQueries) {}

  @Get()
  @Access({ page: 'admin' })
  @ReturnsPage()
  async show(@Page() page: PageContext): Promise<PageAnswer> {
    return page.render('Health', healthView(await this.health.now()), { wide: true });
  }
}
