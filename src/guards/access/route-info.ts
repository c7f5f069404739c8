import type { ExecutionContext } from '@nestjs/common';
import { ACCESS_RULE, type AccessRule } from '#kernel/access/access.js';
import { noticeOfRoute } from '#kernel/http/answers/deprecation.js';
import { fieldsOf, type DeprecationNotice, type FieldClass } from '#kernel/http/fields/field-spec.js';
import { hasOwnKeyset, isPaged } from '#kernel/http/paging/paged.js';
import { paramsOf } from '#kernel/http/fields/params.js';
import { readsRawBody } from '#kernel/http/bodies/raw-body.js';
import { answerOf } from '#kernel/http/answers/returns.js';

/** Metadata of a handler that the guards need, read once. */
export interface RouteInfo {
  readonly rule: AccessRule;
  readonly params: FieldClass | undefined;
  /** Deprecation of the route, or of something in its response. */
  readonly deprecated: DeprecationNotice | null;
  readonly isPaged: boolean;
  /** Whether the list supports keyset pagination in its own order. */
  readonly ownKeyset: boolean;
  /** Ordering parameters whose values the list's own parameters do not declare. */
  readonly freeOrders: readonly ('order_by' | 'sort')[];
  /** Whether the route responds with a file. */
  readonly isFile: boolean;
  /** Whether the handler reads the request body itself. */
  readonly rawBody: boolean;
  /** Name of the parameter with the subject, if the rule has one. */
  readonly subjectParam: string | null;
  readonly subjectKind: 'Project' | 'Group' | null;
  /** Whether the subject is named by full path only. */
  readonly byPath: boolean;
}

const known = new WeakMap<object, RouteInfo>();

/** Returns the metadata of the handler that is about to run. @throws Error if it has no access rule. */
export function routeInfo(context: ExecutionContext): RouteInfo {
  const handler = context.getHandler();
  let info = known.get(handler);
  if (!info) {
    info = read(handler);
    known.set(handler, info);
  }
  return info;
}

function read(handler: { name: string }): RouteInfo {
  const rule = Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule | undefined;
  if (!rule) throw new Error(`The handler ${handler.name} has no @Access rule`);
  const params = paramsOf(handler);
  const own = new Set(params ? fieldsOf(params).map(({ name }) => name) : []);
  const subjectKind = rule.project !== undefined ? 'Project' : rule.group !== undefined ? 'Group' : null;
  const record = answerOf(handler)?.record;
  return {
    rule,
    params,
    deprecated: noticeOfRoute(handler, record ?? null),
    isPaged: isPaged(handler),
    freeOrders: (['order_by', 'sort'] as const).filter((name) => !own.has(name)),
    isFile: answerOf(handler)?.file !== undefined,
    ownKeyset: hasOwnKeyset(handler),
    rawBody: readsRawBody(handler),
    subjectParam: subjectKind === null ? null : (rule.from ?? 'id'),
    subjectKind,
    byPath: rule.byPath === true,
  };
}
