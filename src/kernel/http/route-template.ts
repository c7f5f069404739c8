import type { Request } from 'express';

/** Method and path of a route, such as `PUT /api/v4/projects/:id`. */
export interface RouteTemplate {
  readonly method: string;
  readonly path: string;
}

/** A set of routes that middleware recognises before a route is looked for. */
export class RouteTemplates {
  private readonly templates: readonly { readonly method: string; readonly segments: readonly string[] }[];

  constructor(routes: readonly RouteTemplate[]) {
    this.templates = routes.map(({ method, path }) => ({ method, segments: path.split('/') }));
  }

  /** Whether a request of that method goes to one of them. */
  include({ path }: Pick<Request, 'path'>, method: string): boolean {
    if (this.templates.length === 0) return false;
    const given = path.replace(/\/$/, '').split('/');
    return this.templates.some((template) => template.method === method && fits(template.segments, given));
  }
}

function fits(template: readonly string[], given: readonly string[]): boolean {
  const rest = template.findIndex((segment) => segment.startsWith('*'));
  if (rest < 0) return given.length === template.length && fitsEach(template, given);
  // Whatever the wildcard takes, it is one segment at least.
  const behind = template.slice(rest + 1);
  return (
    given.length >= template.length &&
    fitsEach(template.slice(0, rest), given) &&
    fitsEach(behind, given.slice(given.length - behind.length))
  );
}

const fitsEach = (template: readonly string[], given: readonly string[]): boolean =>
  template.every((segment, index) => segment.startsWith(':') || segment === given[index]);
