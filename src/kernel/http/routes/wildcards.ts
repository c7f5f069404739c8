import { decodeSegment, type FoundRoute, type Route } from './route.js';

/** A route with a wildcard, which matches at least one segment. */
interface Wildcard {
  readonly route: Route;
  readonly name: string;
  readonly before: readonly string[];
  readonly behind: readonly string[];
}

/** Routes with a wildcard: few, tried one after another if no other route matches. */
export class Wildcards {
  private all: readonly Wildcard[] = [];

  add(route: Route, template: readonly string[]): void {
    const position = template.findIndex((segment) => segment.startsWith('*'));
    const name = (template[position] as string).slice(1);
    const added = { route, name, before: template.slice(0, position), behind: template.slice(position + 1) };
    this.all = [...this.all, added].sort((left, right) => rank(left) - rank(right));
  }

  /**
   * Finds the route for a method and the segments of a path, with or without those of a trailing slash.
   * @throws URIError
   */
  find(method: string, segments: readonly string[], sent: readonly string[]): FoundRoute | undefined {
    for (const each of this.all) {
      const { route, name, before, behind } = each;
      if (route.method !== method && !(method === 'HEAD' && route.method === 'GET')) continue;
      // A trailing slash belongs to the wildcard if nothing follows that.
      const given = behind.length === 0 ? sent : segments;
      const end = given.length - behind.length;
      const taken = given.slice(before.length, end);
      if (taken.length === 0 || (taken.length === 1 && taken[0] === '')) continue;
      if (!fits(before, given, 0) || !fits(behind, given, end)) continue;
      const params = Object.create(null) as FoundRoute['params'];
      read(params, before, given, 0);
      params[name] = taken.map(decodeSegment);
      read(params, behind, given, end);
      return { route, params };
    }
    return undefined;
  }
}

/**
 * Routes that begin with a wildcard come last; among those, the one with the more specific end comes first:
 * `*x/git-upload-pack` before `*x/:y`.
 */
const rank = ({ before, behind }: Wildcard): number =>
  before.length > 1 ? 0 : behind.at(-1)?.startsWith(':') ? 2 : 1;

const fits = (template: readonly string[], given: readonly string[], from: number): boolean =>
  template.every((segment, index) =>
    segment.startsWith(':') ? given[from + index] !== '' : segment === given[from + index],
  );

function read(
  params: FoundRoute['params'],
  template: readonly string[],
  given: readonly string[],
  from: number,
): void {
  template.forEach((segment, index) => {
    if (segment.startsWith(':')) params[segment.slice(1)] = decodeSegment(given[from + index] as string);
  });
}
