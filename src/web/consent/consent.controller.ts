import { Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { notFound } from '#kernel/http/errors.js';
import { RequestRefused } from '#features/oauth/authorization/request-refused.js';
import { Page, PageContext } from '../page-context.js';
import { AuthorizationAnswersService, traceless } from './authorization-answers.service.js';
import { AuthorizationFlowService } from './authorization-flow.service.js';
import { codePage } from './code-page.js';
import { AuthorizationForm, type SentForm } from './sent-form.js';

/** The format of our codes: the page shows nothing else that a link may contain. */
const CODE = /^[0-9a-f]{64}$/;

/** The authorization endpoint (RFC 6749 3.1): the consent page and the user's decision. */
@Controller('oauth/authorize')
export class ConsentController {
  constructor(
    private readonly flow: AuthorizationFlowService,
    private readonly answers: AuthorizationAnswersService,
  ) {}

  @Get()
  @Access({ page: 'open', expiredPassword: true, withoutSecondFactor: true })
  @ReturnsPage()
  ask(@AuthorizationForm() form: SentForm, @Page() page: PageContext): Promise<PageAnswer> {
    return orRefusal(this.flow.ask(form, page), (error) => this.answers.refused(page, error));
  }

  @Post()
  @Access({ page: 'user' })
  @ReturnsPage()
  approve(@AuthorizationForm() form: SentForm, @Page() page: PageContext): Promise<PageAnswer> {
    return orRefusal(this.flow.approve(form, page), (error) => this.answers.refusedForm(page, error));
  }

  @Delete()
  @Access({ page: 'user' })
  @ReturnsPage()
  deny(@AuthorizationForm() form: SentForm, @Page() page: PageContext): Promise<PageAnswer> {
    return orRefusal(this.flow.deny(form, page), (error) => this.answers.refusedForm(page, error));
  }

  @Get('native')
  @Access({ page: 'user' })
  @ReturnsPage()
  code(@Query('code') code: unknown, @Page() page: PageContext): PageAnswer {
    if (typeof code !== 'string' || !CODE.test(code)) throw notFound('Authorization Code');
    return traceless(page.render('Your authorization code', codePage(code)));
  }
}

async function orRefusal(
  answer: Promise<PageAnswer>,
  answerTo: (error: RequestRefused) => PageAnswer,
): Promise<PageAnswer> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RequestRefused) return answerTo(error);
    throw error;
  }
}
