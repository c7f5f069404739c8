import type MarkdownIt from 'markdown-it';
import { createRequire } from 'node:module';

/** What takes memory that many processes never need. Nothing else imports these, other than for types. */
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

/** A library that is loaded with its first use, once. One that is not installed is noticed at once, not by that use. */
export function library<Name extends keyof Libraries>(name: Name): () => Libraries[Name] {
  load.resolve(name);
  let loaded: Libraries[Name] | undefined;
  return () => (loaded ??= load(name) as Libraries[Name]);
}
