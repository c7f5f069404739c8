import { decodeSegment, type FoundRoute, type Route } from './route.js';

/** A route with its parameters: the segment of each, and its offset within that. */
interface Leaf {
  readonly route: Route;
  readonly names: readonly (readonly [name: string, position: number, offset: number])[];
}

interface Node {
  readonly literals: Map<string, Node>;
  /** Parameters, by the text before them in their segment: longest first; usually empty. */
  params: readonly { readonly start: string; readonly node: Node }[];
  readonly leaves: Map<string, Leaf>;
}

const newNode = (): Node => ({ literals: new Map(), params: [], leaves: new Map() });

/**
 * Routes without a wildcard, by segment. If several match a path, the one with a literal at the first
 * differing segment wins.
 */
export class SegmentTree {
  private readonly root = newNode();

  /** @throws Error for a duplicate route */
  add(route: Route, template: readonly string[]): void {
    let node = this.root;
    for (const segment of template) {
      const colon = segment.indexOf(':');
      node = colon < 0 ? literalOf(node, segment) : paramOf(node, segment.slice(0, colon));
    }
    if (node.leaves.has(route.method)) throw new Error(`${route.method} ${route.path} is registered twice`);
    const names = template.flatMap((segment, position) => {
      const colon = segment.indexOf(':');
      return colon < 0 ? [] : [[segment.slice(colon + 1), position, colon] as const];
    });
    node.leaves.set(route.method, { route, names });
  }

  /** Finds the route for a method and the segments of a path. @throws URIError */
  find(method: string, segments: readonly string[]): FoundRoute | undefined {
    const leaf = search(this.root, segments, 0, method);
    if (leaf === undefined) return undefined;
    const params = Object.create(null) as Record<string, string>;
    for (const [name, position, offset] of leaf.names)
      params[name] = decodeSegment((segments[position] as string).slice(offset));
    return { route: leaf.route, params };
  }

  /** Methods of all routes that match. */
  methodsOf(segments: readonly string[]): string[] {
    return collect(this.root, segments, 0);
  }
}

function paramOf(node: Node, start: string): Node {
  const known = node.params.find((param) => param.start === start)?.node;
  if (known) return known;
  const added = newNode();
  node.params = [...node.params, { start, node: added }].sort((a, b) => b.start.length - a.start.length);
  return added;
}

function literalOf({ literals }: Node, segment: string): Node {
  const known = literals.get(segment) ?? newNode();
  literals.set(segment, known);
  return known;
}

function search(node: Node, segments: readonly string[], position: number, method: string): Leaf | undefined {
  const segment = segments[position];
  if (segment === undefined) return leafOf(node, method);
  const literal = node.literals.get(segment);
  const found = literal && search(literal, segments, position + 1, method);
  if (found) return found;
  for (const { start, node: next } of node.params) {
    if (!holds(segment, start)) continue;
    const other = search(next, segments, position + 1, method);
    if (other) return other;
  }
  return undefined;
}

/** Whether a segment starts with that text and has a value after it. */
const holds = (segment: string, start: string): boolean =>
  segment.length > start.length && segment.startsWith(start);

/** HEAD is served by the route for GET if it has none of its own. */
const leafOf = ({ leaves }: Node, method: string): Leaf | undefined =>
  leaves.get(method) ?? (method === 'HEAD' ? leaves.get('GET') : undefined);

function collect(node: Node, segments: readonly string[], position: number): string[] {
  const segment = segments[position];
  if (segment === undefined) return [...node.leaves.keys()];
  const literal = node.literals.get(segment);
  const params = node.params.filter(({ start }) => holds(segment, start));
  return [...(literal ? [literal] : []), ...params.map((param) => param.node)].flatMap((next) =>
    collect(next, segments, position + 1),
  );
}
