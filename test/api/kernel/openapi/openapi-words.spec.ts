import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { isDocumented } from '#kernel/openapi/document.js';
import { EXPLICIT_WORDS } from '../../../../src/api-words/explicit-words.js';
import { readDocument } from '../../../support/api-document.js';
import { startApi, type TestApi } from '../../../support/api.js';

const LIST = 'test/api/operations.txt';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly description?: string }[];
  readonly requestBody?: object;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

describe('the texts of the API document', () => {
  let api: TestApi;
  let document: Document;
  let operations: readonly (readonly [string, Operation])[];
  beforeAll(async () => {
    api = await startApi();
    document = await readDocument<Document>(api.anonymous);
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, one]) => [`${method.toUpperCase()} ${path}`, one] as const),
    );
  });
  afterAll(() => api.close());

  it('name operations as in operations.txt, which generated clients depend on: UPDATE_OPERATIONS=1 updates it', () => {
    const text = `${operations.map(([name, { operationId }]) => `${name}  ${operationId}`).join('\n')}\n`;
    if (process.env['UPDATE_OPERATIONS'] === '1') writeFileSync(LIST, text);
    expect(text).toBe(readFileSync(LIST, 'utf8'));
  });

  it('distinguish each operation from every other', () => {
    const summaries = operations.map(([, { summary }]) => summary);
    expect(summaries.filter((one, index) => summaries.indexOf(one) !== index)).toEqual([]);
  });

  it('have no table entries for missing operations', () => {
    const known = new Set(
      listRoutes(api.app)
        .filter(isDocumented)
        .map(({ method, path }) => `${method} ${path.replace('/api/v4', '').replace(/[:*](\w+)/g, '{$1}')}`),
    );
    expect(Object.keys(EXPLICIT_WORDS).filter((name) => !known.has(name))).toEqual([]);
  });

  it('describe every parameter', () => {
    const silent = operations.flatMap(([name, { parameters }]) =>
      parameters.filter(({ description }) => !description).map((one) => `${name} ${one.name}`),
    );
    expect(silent).toEqual([]);
  });

  it('describe every field of every body, and of its parts', () => {
    const { schemas } = document.components;
    const silent = new Set<string>();
    const seen = new Set<string>();
    const walk = (part: unknown, of: string): void => {
      if (typeof part !== 'object' || part === null) return;
      const { $ref, properties } = part as Schema;
      const name = $ref?.replace('#/components/schemas/', '');
      if (name !== undefined && !seen.has(name)) {
        seen.add(name);
        walk(schemas[name], name);
      }
      for (const [field, one] of Object.entries(properties ?? {}))
        if (!one.description) silent.add(`${of}.${field}`);
      for (const one of Object.values(part)) walk(one, of);
    };
    for (const [name, { requestBody }] of operations) walk(requestBody, name);
    expect(seen.size).toBeGreaterThan(100);
    expect([...silent]).toEqual([]);
  });

  it('state who may call, without the names of the code', () => {
    for (const [name, { description }] of operations) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
      expect([name, description]).toEqual([name, expect.not.stringMatching(/>=|publicRead|undefined/)]);
    }
  });

  it('describe the areas, and assign each operation to one of them', () => {
    const areas = new Set(document.tags.map(({ name }) => name));
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
    expect(operations.filter(([, { tags }]) => !tags.every((tag) => areas.has(tag)))).toEqual([]);
  });
});
