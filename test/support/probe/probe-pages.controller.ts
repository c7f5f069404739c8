import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';
import { Params } from '#kernel/http/fields/params.js';
import { form, submit } from '#web/forms/form.view.js';
import { Page, PageContext } from '#web/page-context.js';

/** Fields of the probe form. */
export class ProbeWords {
  @Text({ optional: true, maxLength: 100_000 })
  words = '';
}

/** Pages that show how the common parts of all pages process a visit. */
@Controller('-/probe')
export class ProbePagesController {
  @Get('open')
  @Access({ page: 'open' })
  @ReturnsPage()
  open(@Page() page: PageContext, @Params() { words }: ProbeWords): PageAnswer {
    const who = page.user?.username ?? 'nobody';
    const view = html`<p id="who">${who}</p>
      <p title="${words}">${words}</p>
      ${form({ action: '/-/probe/open', csrfToken: page.csrfToken }, submit('Send'))}`;
    return page.render(`Probe ${words}`, view);
  }

  @Get('plain')
  @Access({ page: 'open' })
  @ReturnsPage()
  plain(@Page() page: PageContext): PageAnswer {
    return page.render('Plain', html`<p>No form</p>`, {
      formAction: ['https://client.example:8443', 'app:'],
    });
  }

  @Post('open')
  @Access({ page: 'open' })
  @ReturnsPage()
  post(@Page() page: PageContext): PageAnswer {
    return page.redirect('/-/probe/open', { flash: 'saved' });
  }

  @Get('user')
  @Access({ page: 'user' })
  @ReturnsPage()
  user(@Page() page: PageContext): PageAnswer {
    return page.render('For users', html`<p id="who">${page.user?.username}</p>`);
  }

  @Put('user')
  @Access({ page: 'user' })
  @ReturnsPage()
  put(@Page() page: PageContext, @Params() { words }: ProbeWords): PageAnswer {
    const errors = words === '' ? [{ field: 'words', text: 'Words are missing' }] : [];
    return page.render('Put', html`<p>${words}</p>`, { errors });
  }

  @Delete('user')
  @Access({ page: 'user' })
  @ReturnsPage()
  remove(@Page() page: PageContext): PageAnswer {
    return page.render('Removed', html`<p>gone</p>`);
  }

  @Get('admin')
  @Access({ page: 'admin' })
  @ReturnsPage()
  admin(@Page() page: PageContext): PageAnswer {
    return page.render('For administrators', html`<p id="who">${page.user?.username}</p>`);
  }

  @Get('broken')
  @Access({ page: 'open' })
  @ReturnsPage()
  broken(): PageAnswer {
    throw new Error('<secret> of the inside');
  }
}
