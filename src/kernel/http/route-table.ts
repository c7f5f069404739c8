import type { Application, Request } from 'express';

/** The parts of Express's router that we look into. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
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
    return layer.match(path);
  } catch {
    // A malformed percent escape fits no route.
    return false;
  }
}

/**
 * Puts a comparison of literal segments before the regular expression of every route: with hundreds of routes most layers
 * are ruled out by one string comparison. Call it once, after all routes are registered.
 */
export function prematchRoutes(app: Application): void {
  let lastPath = '';
  let lastSegments: string[] = [];
  for (const layer of layersOf(app)) {
    const path = layer.route?.path;
    if (typeof path !== 'string' || /[*{(]/.test(path)) continue;
    const pattern = path.replace(/\/$/, '').split('/');
    const literals = pattern
      .map((segment, index) => [segment, index] as const)
      .filter(([segment]) => !segment.includes(':'));
    // Rarest first: the last literal segment differs between most routes.
    literals.reverse();
    const match = layer.match.bind(layer);
    layer.match = (requested: string): boolean => {
      if (requested !== lastPath) {
        lastPath = requested;
        lastSegments = (requested.endsWith('/') ? requested.slice(0, -1) : requested).split('/');
      }
      if (lastSegments.length !== pattern.length) return false;
      for (const [segment, index] of literals) if (lastSegments[index] !== segment) return false;
      return match(requested);
    };
  }
}
