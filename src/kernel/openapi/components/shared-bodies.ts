import type { Schema } from './schemas.js';

/** Splits `CreateIssueNoteRequest` into words. */
const wordsOf = (name: string): string[] => name.match(/[A-Z][a-z0-9]*/g) ?? [name];

/**
 * Returns the common part of several request names: the verb and the final words; for a single name, that
 * name.
 */
function commonName(names: readonly string[]): string {
  const [first = [], ...others] = names.map(wordsOf);
  const isCommon = (at: number): boolean => others.every((words) => words.at(-at) === first.at(-at));
  let last = 1;
  while (last < first.length && isCommon(last + 1)) last += 1;
  const end = first.slice(-last);
  const verb = others.every(([word]) => word === first[0]) && last < first.length ? first.slice(0, 1) : [];
  return [...verb, ...end].join('');
}

/** Finds requests of several operations with exactly the same fields; maps their names to the common one. */
function renamedBodies(schemas: Readonly<Record<string, Schema>>): ReadonlyMap<string, string> {
  const same = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (!name.endsWith('Request')) continue;
    const key = JSON.stringify(schema);
    same.set(key, [...(same.get(key) ?? []), name]);
  }
  const renamed = new Map<string, string>();
  const used = new Set(Object.keys(schemas));
  for (const names of [...same.values()].filter(({ length }) => length > 1)) {
    const [shortest = ''] = names.toSorted((a, b) => a.length - b.length);
    const common = commonName(names.filter((one) => !one.includes('ByPagePath')));
    // A verb alone says too little.
    const name = wordsOf(common).length > 2 && !used.has(common) ? common : shortest;
    used.add(name);
    for (const one of names) renamed.set(one, name);
  }
  return renamed;
}

/** The schemas with each request once; the operations refer to it by its common name. */
export function withSharedBodies(
  schemas: Readonly<Record<string, Schema>>,
  operations: readonly { requestBody?: Schema }[],
): Record<string, Schema> {
  const renamed = renamedBodies(schemas);
  for (const operation of operations) {
    const text = JSON.stringify(operation.requestBody ?? {});
    const [, name = ''] = /"#\/components\/schemas\/(\w+Request)"/.exec(text) ?? [];
    const common = renamed.get(name);
    if (common !== undefined)
      operation.requestBody = JSON.parse(text.replaceAll(`/${name}"`, `/${common}"`)) as Schema;
  }
  return Object.fromEntries(
    Object.entries(schemas)
      .map(([name, schema]): [string, Schema] => [renamed.get(name) ?? name, schema])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
