import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Config } from '#kernel/config/config.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { ReplicaReads } from '#kernel/database/replica/replica-reads.js';
import { bind, type Bound } from '#kernel/http/fields/binder.js';
import { markDeprecated, markDeprecatedArguments } from '#kernel/http/answers/deprecation.js';
import { invalid, missingAttribute } from '#kernel/http/errors.js';
import { isMultipart, readMultipartFields } from '#kernel/http/bodies/files/multipart.js';
import { PageParams } from '#kernel/http/paging/page.params.js';
import { Page } from '#kernel/http/paging/page.js';
import { requestOf, responseOf, sourcesOf, type ApiRequest } from '#kernel/http/request.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { routeInfo, type RouteInfo } from './access/route-info.js';

/** Fourth guard: binds and validates the parameters of the handler and its pagination before any lookup. */
@Injectable()
export class ParametersGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly settings: SettingsService,
    private readonly database: ReadDatabase,
    private readonly replica: ReplicaReads,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const info = routeInfo(context);
    const request = requestOf(context);
    if (info.rawBody || !isMultipart(request)) return this.bindAll(context, request, info);
    return readMultipartFields(request, info.params).then(() => {
      refuseLateSudo(request);
      return this.bindAll(context, request, info);
    });
  }

  private bindAll(
    context: ExecutionContext,
    request: ApiRequest,
    { params, isPaged, ownKeyset, freeOrders, deprecated }: RouteInfo,
  ): boolean {
    if (deprecated) markDeprecated(responseOf(context), deprecated);
    if (!params && !isPaged) return true;
    const sources = sourcesOf(request);
    const pages = isPaged ? bind(PageParams, sources) : null;
    const own = params ? bind(params, sources) : null;
    refuse(own, pages);
    if (own?.ok) {
      request.bound = own.value;
      if (params) markDeprecatedArguments(responseOf(context), params, sources);
    }
    if (pages?.ok) {
      refuseStrangeOrder(pages.value, freeOrders, ownKeyset);
      request.page = new Page({
        params: pages.value,
        url: this.config.externalUrl + (request.originalUrl.split('?', 1)[0] ?? ''),
        raw: linkParameters(request, sources),
        offsetLimit: this.settings.values.offset_pagination_limit,
        database: this.database,
        replica: this.replica,
        ownKeyset,
      });
    }
    return true;
  }
}

/** Orders of lists that do not declare their own. */
const ORDERS = { order_by: ['id'], sort: ['asc', 'desc'] } as const;

/**
 * Rejects an undeclared order, except in keyset pagination, where the list responds to it itself (405).
 * @throws 400
 */
function refuseStrangeOrder(pages: PageParams, free: RouteInfo['freeOrders'], ownKeyset: boolean): void {
  if (pages.pagination === 'keyset' && !ownKeyset) return;
  const strange = free.filter((name) => {
    const value = pages[name];
    return value !== undefined && value !== '' && !(ORDERS[name] as readonly string[]).includes(value);
  });
  if (strange.length > 0)
    throw invalid(Object.fromEntries(strange.map((name) => [name, ['does not have a valid value']])));
}

/**
 * The caller was resolved before these fields were read; ignoring `sudo` would act as the wrong user. @throws
 * 400
 */
function refuseLateSudo(request: ApiRequest): void {
  if ((request.access as Caller).owner && Object.hasOwn(request.body as object, 'sudo'))
    throw invalid({ sudo: ['cannot be a field of a multipart body'] });
}

/** Limit of a body whose parameters appear in pagination links: no server would accept longer URLs. */
const MAX_LINKED_BODY = 4096;

function linkParameters(
  request: ApiRequest,
  sources: readonly Readonly<Record<string, unknown>>[],
): Record<string, unknown> {
  const isLong = Number(request.headers['content-length'] ?? Infinity) > MAX_LINKED_BODY;
  const linked = isLong ? sources.filter((source) => source !== request.body) : sources;
  return Object.assign({}, ...[...linked].reverse()) as Record<string, unknown>;
}

/**
 * A missing parameter is reported before invalid ones; invalid ones are reported together (`decisions.md` 2.2
 * and 2.3).
 */
function refuse(own: Bound<object> | null, pages: Bound<object> | null): void {
  const failed = [own, pages].filter((bound) => bound?.ok === false);
  if (failed.length === 0) return;
  const problems: Record<string, unknown> = {};
  for (const bound of failed) {
    const [missing] = bound.missing;
    if (missing !== undefined) throw missingAttribute(missing);
    for (const [name, problem] of Object.entries(bound.problems)) problems[name] ??= problem;
  }
  throw invalid(problems);
}
