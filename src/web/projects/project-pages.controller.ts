import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { Role } from '#kernel/access/roles.js';
import { html, type Html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { integrationsPath } from '../alert-integrations/paths.js';
import { errorsPath } from '../error-tracking/paths.js';
import { dataTable } from '../layout/data-table.view.js';
import { Page, type PageContext } from '../page-context.js';
import { pageLinks } from '../layout/page-links.view.js';
import { OwnProjectsQueries, type OwnProjectRow } from './own-projects.queries.js';

const PATH = '/-/projects';

/** Page that lists the pages of projects. */
@Controller(PATH)
export class ProjectPagesController {
  constructor(private readonly queries: OwnProjectsQueries) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  async list(@Page() page: PageContext, @Paged() list: ListPage): Promise<PageAnswer> {
    const rows = await list.load(this.queries.list(page.actor.id));
    const cells = rows.map((row) => [row.full_name, linksOf(row)]);
    const table = dataTable(
      'Your projects',
      ['Name', 'Pages'],
      cells,
      'You are not a member of any project.',
    );
    return page.render('Projects', html`${table}${pageLinks(PATH, list)}`, { wide: true });
  }
}

const linksOf = ({ id, full_name: name, role }: OwnProjectRow): Html =>
  html`<a href="${errorsPath(id)}">Errors<span class="unseen"> of ${name}</span></a>
    ${role >= Role.Developer && html`<br /><a href="${integrationsPath(id)}">Alert integrations<span class="unseen"> of ${name}</span></a>`}`;
