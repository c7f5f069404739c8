import type { Application, NextFunction, Request, RequestHandler, Response } from 'express';

/** The parts of Express's router that we look into. */
interface Layer {
  readonly route?: {
    readonly path: string;
    readonly methods: Readonly<Record<string, boolean>>;
    dispatch(request: Request, response: Response, next: NextFunction): void;
  };
  match(path: string): false | { readonly params: Record<string, string> };
}

const layersOf = (app: Application): Layer[] =>
  (app as unknown as { router: { stack: Layer[] } }).router.stack;

/** Methods of the routes that fit the path of a request; empty when none does. */
export function allowedMethods(request: Request): string[] {
  const path = request.originalUrl.split('?', 1)[0] ?? '';
  const methods = new Set<string>();
  for (const layer of layersOf(request.app)) {
    if (!layer.route || layer.route.path.includes('*') || !fits(layer, path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function fits(layer: Layer, path: string): boolean {
  try {
    return layer.match(path) !== false;
  } catch {
    // A malformed percent escape fits no route.
    return false;
  }
}

interface Candidate {
  readonly layer: Layer;
  /** Segments that are the same in every path of the route, rarest first, with their places. */
  readonly literals: readonly (readonly [segment: string, place: number])[];
}

/** A route that begins with a wildcard: the segments that all its paths end in, parameters among them. */
interface Tail {
  readonly method: string;
  readonly end: readonly string[];
  readonly layer: Layer;
}

/**
 * Finds the route of a request by method and number of segments, instead of asking each of some hundred regular expressions in
 * turn. The first route that was registered wins, as in Express, but those that begin with a wildcard come last; what the index
 * does not know, Express looks for.
 */
export class RouteIndex {
  private candidates = new Map<string, readonly Candidate[]>();
  private tails: readonly Tail[] = [];
  private first = 0;

  constructor(private readonly app: Application) {}

  /** From here on routes are its own; those before have middleware of theirs, and are left to Express. */
  begin(): void {
    this.first = layersOf(this.app).length;
  }

  /** Runs the route of a request, past all middleware behind it; what it does not know, it leaves to the next handler. */
  readonly dispatch: RequestHandler = (request, response, next) => {
    const layer = this.find(request);
    const match = layer?.match(request.path);
    if (!layer?.route || !match) {
      next();
      return;
    }
    request.params = match.params;
    layer.route.dispatch(request, response, next);
  };

  /** Takes over the routes that were registered since `begin`; call it once all are. */
  learn(): void {
    const found = new Map<string, Candidate[]>();
    const tails: Tail[] = [];
    for (const layer of layersOf(this.app).slice(this.first)) {
      const end = tailOf(layer.route?.path);
      if (layer.route && end !== null)
        tails.push(...methodsOf(layer).map((method) => ({ method, end, layer })));
      if (!layer.route || !isPlain(layer.route.path)) continue;
      const segments = layer.route.path.replace(/\/$/, '').split('/');
      const literals = segments.map((segment, place) => [segment, place] as const);
      const candidate = { layer, literals: literals.filter(([segment]) => !segment.includes(':')).reverse() };
      for (const method of methodsOf(layer)) {
        const key = `${method} ${segments.length}`;
        found.set(key, [...(found.get(key) ?? []), candidate]);
      }
    }
    this.candidates = found;
    // What says more of the end comes first: `*/git-upload-pack` before one that takes any last segment.
    this.tails = tails.sort((left, right) => Number(isOpen(left)) - Number(isOpen(right)));
  }

  private find({ method, path }: Request): Layer | undefined {
    const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
    for (const { layer, literals } of this.candidates.get(`${method} ${segments.length}`) ?? [])
      if (literals.every(([segment, place]) => segments[place] === segment)) return layer;
    return this.tails.find((tail) => tail.method === method && endsIn(segments, tail.end))?.layer;
  }
}

/** Whether the path has nothing but literal segments and whole-segment parameters: no wildcard, no optional part. */
const isPlain = (path: unknown): path is string => typeof path === 'string' && !/[*{(]/.test(path);

const methodsOf = ({ route }: Layer): string[] =>
  Object.keys(route?.methods ?? {}).map((method) => method.toUpperCase());

/** The end that all paths of a route have which begins with a wildcard, as of `/*path/info/refs`; null for other routes. */
function tailOf(path: unknown): string[] | null {
  const [, end] =
    typeof path === 'string' ? (/^\/\*\w+\/((?:[\w.-]+|:\w+)(?:\/(?:[\w.-]+|:\w+))*)$/.exec(path) ?? []) : [];
  return end?.split('/') ?? null;
}

const isOpen = ({ end }: Tail): boolean => end.at(-1)?.startsWith(':') ?? false;

/** Whether a path, whose first segment is empty, has at least one more before that end. */
function endsIn(segments: readonly string[], end: readonly string[]): boolean {
  const before = segments.length - end.length;
  return (
    before > 1 &&
    end.every((segment, place) => segment.startsWith(':') || segment === segments[before + place])
  );
}
