import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ACCESS_RULE, type AccessRule } from '#kernel/access/access.js';
import { declaredRoute, pathsOfController } from '#kernel/libraries/nest-routes.js';
import { deprecationOf } from '../answers/deprecation.js';
import type { FieldClass } from '../fields/field-spec.js';
import { formBodyOf } from '../form-body.js';
import { isPaged } from '../paging/paged.js';
import { paramsOf } from '../fields/params.js';
import { runsLong } from './long-running.js';
import { readsRawBody } from '../bodies/raw-body.js';
import { refusalsOf, type Refusals } from '../answers/refuses.js';
import { answerOf, type Answer } from '../answers/returns.js';

/** Everything that decorators declare about a route. */
export interface RouteDescription {
  readonly method: string;
  /** Template from the root, such as `/api/v4/projects/:id`. */
  readonly path: string;
  readonly controller: string;
  /** Name of the module that serves it, without the word Module. */
  readonly area: string;
  readonly handler: string;
  readonly rule: AccessRule | undefined;
  readonly params: FieldClass | undefined;
  readonly answer: Answer | undefined;
  readonly refusals: Refusals;
  readonly isPaged: boolean;
  readonly isDeprecated: boolean;
  /** Whether the handler reads the body of the request itself. */
  readonly rawBody: boolean;
  /** Parameters of a form that the handler reads itself. */
  readonly formBody: readonly string[] | undefined;
  /** Whether the handler ends its requests itself, however long they take. */
  readonly longRunning: boolean;
}

const join = (...parts: string[]): string =>
  `/${parts
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter(Boolean)
    .join('/')}`;

/** All routes of an application, sorted by path, then method. */
export function listRoutes(app: INestApplicationContext): RouteDescription[] {
  const routes: RouteDescription[] = [];
  const seen = new Set<object>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype !== 'function' || seen.has(metatype)) continue;
      seen.add(metatype);
      routes.push(...routesOf(metatype as FieldClass, module.name.replace(/Module$/, '')));
    }
  }
  return routes.sort((a, b) => a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method, 'en'));
}

function routesOf(controller: FieldClass, area: string): RouteDescription[] {
  const routes: RouteDescription[] = [];
  const members = Object.getOwnPropertyDescriptors(controller.prototype as Record<string, unknown>);
  // Read as descriptors: a getter of a controller must not run without an instance.
  for (const [name, { value }] of Object.entries(members)) {
    if (typeof value !== 'function') continue;
    const handler = value as object;
    const declared = declaredRoute(handler);
    if (!declared) continue;
    for (const base of pathsOfController(controller)) {
      for (const path of declared.paths) {
        routes.push({
          method: declared.method,
          path: join(base, path),
          controller: controller.name,
          area,
          handler: name,
          rule: Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule | undefined,
          params: paramsOf(handler),
          answer: answerOf(handler),
          refusals: refusalsOf(handler),
          isPaged: isPaged(handler),
          isDeprecated: deprecationOf(handler) !== undefined,
          rawBody: readsRawBody(handler),
          formBody: formBodyOf(handler),
          longRunning: runsLong(handler),
        });
      }
    }
  }
  return routes;
}
