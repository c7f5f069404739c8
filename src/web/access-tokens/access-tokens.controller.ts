import { Controller, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { Actor } from '#kernel/access/caller.js';
import { html, type Html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { texts } from '#kernel/http/fields/scalar-fields.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { today } from '#core/tokens/expiry/token-dates.js';
import { CreateTokenParams, type ListTokensParams } from '#core/tokens/tokens.params.js';
import { TokensQueries } from '#core/tokens/tokens.queries.js';
import { TokensService } from '#core/tokens/tokens.service.js';
import { bindForm } from '../forms/bind-form.js';
import { fieldErrorsOf } from '../forms/form-errors.js';
import type { FieldError } from '../forms/form-fields.view.js';
import { Page, type PageContext } from '../page-context.js';
import { offeredScopes, TokenForm, TokenPath } from './token-form.js';
import { newTokenView, tokenForm, TOKENS_PATH, tokenTable } from './token-views.js';

const TITLE = 'Personal access tokens';
const ACTIVE: ListTokensParams = { state: 'active', sort: 'created_desc' };

/**
 * Pages of a user's own tokens. Impersonation tokens, which administrators create, are neither listed nor
 * revoked here.
 */
@Controller(['-/profile/personal_access_tokens', '-/user_settings/personal_access_tokens'])
export class AccessTokensController {
  constructor(
    private readonly queries: TokensQueries,
    private readonly tokens: TokensService,
  ) {}

  @Get()
  @Access({ page: 'user' })
  @ReturnsPage()
  list(@Page() page: PageContext, @Paged() list: ListPage): Promise<PageAnswer> {
    return this.show(page, list, new TokenForm(), []);
  }

  /** Shows the secret in this very response, because it is not stored anywhere for a later one. */
  @Post()
  @Access({ page: 'user' })
  @ReturnsPage()
  async create(
    @Page() page: PageContext,
    @Params() values: TokenForm,
    @Paged() list: ListPage,
  ): Promise<PageAnswer> {
    const user = page.actor;
    let made: Html;
    try {
      const fields = fieldsOf(values, user);
      const { row, token } = await this.tokens.issue(fields, user);
      made = newTokenView(row.name, token);
    } catch (error) {
      return this.show(page, list, values, fieldErrorsOf(error));
    }
    return this.show(page, list, new TokenForm(), [], made);
  }

  @Get(':id/revoke')
  @Access({ page: 'user' })
  @ReturnsPage()
  async askToRevoke(@Page() page: PageContext, @Params() { id }: TokenPath): Promise<PageAnswer> {
    const token = await this.queries.findOrNull(id);
    assertOwn(page, token);
    return page.ask('Revoke this token?', {
      text: html`Everything that uses the token <strong>${token.name}</strong> loses access immediately. This
        cannot be undone.`,
      action: `${TOKENS_PATH}/${id}/revoke`,
      method: 'put',
      button: `Revoke ${token.name}`,
      back: TOKENS_PATH,
    });
  }

  @Put(':id/revoke')
  @Access({ page: 'user' })
  @ReturnsPage()
  async revoke(@Page() page: PageContext, @Params() { id }: TokenPath): Promise<PageAnswer> {
    await this.tokens.revokeById(id, page.actor, (token) => assertOwn(page, token));
    return page.redirect(TOKENS_PATH, { flash: 'token_revoked' });
  }

  private async show(
    page: PageContext,
    list: ListPage,
    values: TokenForm,
    errors: readonly FieldError[],
    made: Html | null = null,
  ): Promise<PageAnswer> {
    const { id, admin: isAdmin } = page.actor;
    const rows = await list.load(this.queries.list(id, ACTIVE));
    const limits = { csrfToken: page.csrfToken, isAdmin, lastDay: this.tokens.lastDay };
    const body = html`${made}
      <p>With a token, programs use the API and Git on your behalf, within its scopes.</p>
      ${tokenForm(values, errors, limits)}${tokenTable(rows, list)}`;
    return page.render(TITLE, body, { errors, wide: true });
  }
}

/**
 * Applies the rules of the API and those of the page alone: the token must be active, with scopes that were
 * offered. @throws 400
 */
function fieldsOf(form: TokenForm, user: Actor): Parameters<TokensService['issue']>[0] {
  const sent = { user_id: user.id, name: form.name, scopes: form.scopes, expires_at: form.expires_at };
  const { name, scopes, expires_at: expiresAt = null } = bindForm(CreateTokenParams, sent);
  const offered = offeredScopes(user.admin);
  if (scopes.some((scope) => !offered.includes(scope))) throw invalid({ scopes: [texts.value] });
  if (expiresAt !== null && expiresAt <= today()) throw invalid({ expires_at: ['must be after today'] });
  return { userId: user.id, name, scopes, expiresAt };
}

function assertOwn<Token extends { readonly userId: number; readonly impersonation: boolean }>(
  page: PageContext,
  token: Token | null,
): asserts token is Token {
  if (!token || token.userId !== page.actor.id || token.impersonation)
    throw notFound('Personal Access Token');
}
