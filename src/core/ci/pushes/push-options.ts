import type { CiVariable } from '../jobs/job-definition.js';

const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/** What the options of a push (`git push -o`) say about pipelines. */
export interface CiPushOptions {
  /** `ci.skip`: no pipelines. */
  readonly skip: boolean;
  /** `ci.variable=KEY=value`. */
  readonly variables: readonly CiVariable[];
}

/** Reads the options of a push; what is no option of ours is somebody else's. */
export function ciPushOptions(options: readonly string[]): CiPushOptions {
  const variables = options.flatMap((option) => {
    const [name, given = ''] = splitOnce(option);
    if (name !== 'ci.variable') return [];
    const [key, value] = splitOnce(given.replace(/^"(.*)"$/s, '$1'));
    if (!KEY.test(key) || value === undefined || value.includes('\0')) return [];
    return [{ key, value: value.toWellFormed(), public: false, masked: false }];
  });
  return { skip: options.includes('ci.skip'), variables };
}

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
