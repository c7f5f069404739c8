import type { Request } from 'express';

/** Method and path of a route, such as `PUT /api/v4/projects/:id`. */
export interface RouteTemplate {
  readonly method: string;
  readonly path: string;
}

interface Template {
  readonly segments: readonly string[];
  /** What all paths of the route begin with, and what they end in: most paths have something else there, and need not be taken apart. */
  readonly start: string;
  readonly end: string;
}

/** A set of routes that middleware recognises before a route is looked for. */
export class RouteTemplates {
  private readonly templates = new Map<string, Template[]>();

  constructor(routes: readonly RouteTemplate[]) {
    for (const { method, path } of routes) {
      const ofMethod = this.templates.get(method) ?? [];
      this.templates.set(method, [...ofMethod, templateOf(path)]);
    }
  }

  /** Whether a request of that method goes to one of them. */
  include({ path }: Pick<Request, 'path'>, method: string): boolean {
    const templates = this.templates.get(method);
    if (templates === undefined) return false;
    const plain = path.endsWith('/') ? path.slice(0, -1) : path;
    return templates.some(
      ({ start, end, segments }) =>
        plain.startsWith(start) && plain.endsWith(end) && fits(segments, plain.split('/')),
    );
  }
}

function templateOf(path: string): Template {
  const [start = ''] = path.split(/[:*]/, 1);
  const segments = path.split('/');
  const last = segments.at(-1) ?? '';
  return { segments, start, end: /[:*]/.test(last) ? '' : `/${last}` };
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
