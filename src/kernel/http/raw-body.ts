import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';

const RAW_BODY = 'forgeplane:raw-body';

/** The route reads the stream of the request itself (uploads, intake): any content type, no size limit but its own. */
export const RawBody = (): MethodDecorator => SetMetadata(RAW_BODY, true);

/** Whether a handler reads the body itself. */
export const readsRawBody = (handler: object): boolean => Reflect.getMetadata(RAW_BODY, handler) === true;

interface Template {
  readonly method: string;
  readonly path: string;
  readonly rawBody: boolean;
}

/** The routes whose bodies no parser may touch, known to the pipeline before a route is looked for. */
export class RawBodyRoutes {
  private templates: readonly { readonly method: string; readonly segments: readonly string[] }[] = [];

  /** Takes over the routes of an application. */
  learn(routes: readonly Template[]): void {
    this.templates = routes
      .filter((route) => route.rawBody)
      .map(({ method, path }) => ({ method, segments: path.split('/') }));
  }

  /** Whether the request goes to one of them. */
  includes({ method, path }: Pick<Request, 'method' | 'path'>): boolean {
    if (this.templates.length === 0) return false;
    const given = path.replace(/\/$/, '').split('/');
    return this.templates.some((template) => template.method === method && fits(template.segments, given));
  }
}

function fits(template: readonly string[], given: readonly string[]): boolean {
  const rest = template.findIndex((segment) => segment.startsWith('*'));
  const fixed = rest < 0 ? template : template.slice(0, rest);
  if (rest < 0 ? given.length !== template.length : given.length <= rest) return false;
  return fixed.every((segment, index) => segment.startsWith(':') || segment === given[index]);
}
