import type MarkdownIt from 'markdown-it';
import { createRequire } from 'node:module';

/** Libraries that take memory many processes never need. They are imported nowhere else, except for types. */
interface Libraries {
  readonly 'cron-parser': typeof import('cron-parser');
  readonly graphql: typeof import('graphql');
  readonly luxon: typeof import('luxon');
  readonly 'markdown-it': typeof MarkdownIt;
  readonly piscina: typeof import('piscina');
  readonly re2js: typeof import('re2js');
  readonly 'tar-stream': typeof import('tar-stream');
  readonly uqr: typeof import('uqr');
  readonly yaml: typeof import('yaml');
}

const load = createRequire(import.meta.url);

/** Loads a library once, on its first use. A missing library is detected at once, not on that use. */
export function library<Name extends keyof Libraries>(name: Name): () => Libraries[Name] {
  load.resolve(name);
  let loaded: Libraries[Name] | undefined;
  return () => (loaded ??= load(name) as Libraries[Name]);
}
