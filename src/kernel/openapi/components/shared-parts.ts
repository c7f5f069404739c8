import type { Schema } from './schemas.js';

/** An operation of a document, with its area. */
interface Operation {
  readonly tags: readonly [string];
  parameters: Schema[];
  requestBody?: Schema;
  responses: Schema;
}

/** A part of operations, with its occurrences. */
interface Part {
  readonly value: Schema;
  /** Its name if it is the only one of that name. */
  readonly name: string;
  /** What distinguishes it from others of that name, from simple to unique. */
  readonly marks: readonly string[];
  times: number;
}

/** Parts by their text, which decides whether two are the same. */
class Parts {
  private readonly parts = new Map<string, Part>();

  count(value: Schema, name: string, marks: readonly string[]): void {
    const key = JSON.stringify(value);
    const part = this.parts.get(key);
    if (part) part.times += 1;
    else this.parts.set(key, { value, name, marks, times: 1 });
  }

  /**
   * Names of the parts that occur more than once: the plain name for the most frequent, the others with a
   * mark.
   */
  named(taken: Iterable<string>): Map<string, string> {
    const names = new Map<string, string>();
    const used = new Set(taken);
    const shared = [...this.parts].filter(([, { times }]) => times > 1);
    for (const [key, { name, marks }] of shared.sort(([, a], [, b]) => b.times - a.times)) {
      const marked = [name, ...marks.map((mark) => `${name}.${mark}`)];
      let found = marked.find((one) => !used.has(one));
      for (let n = 2; found === undefined; n += 1)
        found = [`${marked.at(-1) ?? name}.${n}`].find((one) => !used.has(one));
      used.add(found);
      names.set(key, found);
    }
    return names;
  }
}

const isRef = (part: Schema): boolean => '$ref' in part;

/** Converts `Feature flags` to `feature_flags`. */
const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_');

/** Name of a parameter as a component. */
const nameOfParameter = ({ name }: Schema): string => String(name).replace('[]', '');

/** Name of the schema of a body, without the word Request. */
const nameOfBody = (body: Schema): string =>
  /schemas\/(\w+?)(?:Request)?"/.exec(JSON.stringify(body))?.[1] ?? 'Body';

/**
 * `ProjectRecord`, listed, becomes `ProjectList`; a response without a record is named after the first words
 * of its description.
 */
function nameOfResponse({ content, description }: Schema): string {
  const text = JSON.stringify(content ?? {});
  const record = /"application\/json".*#\/components\/schemas\/(\w+?)(Record)?"/.exec(text)?.[1];
  const isList = text.includes('"type":"array"');
  if (record && record !== 'Refusal') return isList ? `${record}List` : record;
  const words = String(description).match(/[A-Za-z0-9]+/g) ?? [];
  return words
    .slice(0, 6)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/**
 * Moves parameters, bodies and responses that occur in more than one operation to the components, replacing
 * them with references. Responses that are already components keep their names.
 */
export function sharedParts(
  operations: readonly Operation[],
  named: Readonly<{ parameters: Schema; responses: Schema }>,
): { parameters: Schema; responses: Schema; requestBodies: Schema } {
  const [parameters, responses, bodies] = [new Parts(), new Parts(), new Parts()];
  for (const { tags, parameters: given, requestBody, responses: answers } of operations) {
    const mark = slugOf(tags[0]);
    if (requestBody) bodies.count(requestBody, nameOfBody(requestBody), [mark]);
    for (const one of given)
      if (!isRef(one)) parameters.count(one, nameOfParameter(one), [String(one['in']), mark]);
    for (const [status, one] of Object.entries(answers) as [string, Schema][])
      if (!isRef(one)) responses.count(one, nameOfResponse(one), [status, `${status}.${mark}`]);
  }
  const names = {
    parameters: parameters.named(Object.keys(named.parameters)),
    responses: responses.named(Object.keys(named.responses)),
    requestBodies: bodies.named([]),
  };
  const referred = (kind: keyof typeof names, part: Schema): Schema => {
    const name = names[kind].get(JSON.stringify(part));
    return name === undefined ? part : { $ref: `#/components/${kind}/${name}` };
  };
  for (const operation of operations) {
    operation.parameters = operation.parameters.map((one) => referred('parameters', one));
    if (operation.requestBody) operation.requestBody = referred('requestBodies', operation.requestBody);
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).map(([status, one]) => [
        status,
        referred('responses', one as Schema),
      ]),
    );
  }
  return {
    parameters: { ...named.parameters, ...byName(names.parameters) },
    responses: { ...named.responses, ...byName(names.responses) },
    requestBodies: byName(names.requestBodies),
  };
}

/** Components by name, sorted. */
const byName = (names: ReadonlyMap<string, string>): Schema =>
  Object.fromEntries(
    [...names]
      .map(([key, name]): [string, unknown] => [name, JSON.parse(key)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
