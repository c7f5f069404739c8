import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bind } from '#kernel/http/fields/binder.js';
import { checkRecord } from '#kernel/http/answers/record-check.js';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { resolveDocument } from '../../../support/api-document.js';
import { startApi, type TestApi } from '../../../support/api.js';

type Json = Record<string, unknown>;

const METHODS = new Set(['get', 'head', 'put', 'post', 'delete', 'patch']);
const TYPES = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

interface Document {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
}

interface Operation {
  operationId: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  security?: Json[];
  requestBody?: { content: Json };
  responses: Record<string, Told>;
}

interface Told {
  description: string;
  content?: Json;
}

/** Every hash in the document with its path. */
function* walk(value: unknown, at: string): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Json];
  for (const [key, one] of Object.entries(value)) yield* walk(one, `${at}/${key}`);
}

describe('the API document', () => {
  let api: TestApi;
  let served: Json;
  let document: Document;
  beforeAll(async () => {
    api = await startApi();
    served = (await api.anonymous.get<Json>('/openapi.json')).body;
    document = resolveDocument(served) as unknown as Document;
  });
  afterAll(() => api.close());

  const operations = (): [string, Operation][] =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );

  it('is OpenAPI 3.1 and needs no credential', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.title).toBe('Forgeplane');
    expect(document.info.version).not.toBe('');
    for (const item of Object.values(document.paths))
      for (const method of Object.keys(item)) expect(METHODS.has(method)).toBe(true);
  });

  it('contains every route of the API', () => {
    const known = new Set(operations().map(([name]) => name));
    const missing = listRoutes(api.app)
      .filter(({ path, rule }) => path.startsWith('/api/v4/') && rule?.credential !== 'operator')
      .map(({ method, path }) => `${method} ${path.replace(/[:*](\w+)/g, '{$1}')}`)
      .filter((name) => !known.has(name));
    expect(missing).toEqual([]);
  });

  it('contains the other routes for programs: OAuth, and the intakes of alerts and errors under every path', () => {
    const known = operations().map(([name]) => name);
    const others = listRoutes(api.app)
      .filter(({ rule }) => ['oauth', 'alert-key', 'dsn'].includes(rule?.credential ?? ''))
      .map(({ method, path }) => `${method} ${path.replace(/[:*](\w+)/g, '{$1}')}`);
    expect(others.length).toBeGreaterThan(10);
    expect(known).toEqual(expect.arrayContaining([...others, 'GET /oauth/authorize']));
    const token = document.paths['/oauth/token']?.['post'];
    const form = token?.requestBody?.content['application/x-www-form-urlencoded'] as { schema: Json };
    expect(Object.keys(form.schema['properties'] as Json)).toEqual(
      expect.arrayContaining(['grant_type', 'code', 'code_verifier', 'client_id', 'refresh_token']),
    );
  });

  it('describes how callers authenticate, and how administrators act as others', () => {
    const schemes = document.components.securitySchemes;
    expect(schemes).toMatchObject({
      privateToken: { in: 'header', name: 'PRIVATE-TOKEN' },
      privateTokenQuery: { in: 'query', name: 'private_token' },
      jobToken: { in: 'header', name: 'JOB-TOKEN' },
      jobTokenQuery: { in: 'query', name: 'job_token' },
      oauth: {
        type: 'oauth2',
        flows: { authorizationCode: { tokenUrl: 'http://forgeplane.test/oauth/token' } },
      },
    });
    for (const [name, { security = [] }] of operations())
      for (const one of security.flatMap((each) => Object.keys(each)))
        expect([name, one, one in schemes]).toEqual([name, one, true]);
    const jobs = listRoutes(api.app).filter(({ rule }) => rule?.jobToken !== undefined);
    for (const { method, path } of jobs) {
      const operation = document.paths[path.replace(/[:*](\w+)/g, '{$1}')]?.[method.toLowerCase()];
      expect([path, operation?.security]).toEqual([
        path,
        expect.arrayContaining([{ jobToken: [] }, { jobTokenQuery: [] }]),
      ]);
    }
    const packages = document.paths['/api/v4/projects/{id}/packages/{package_id}']?.['delete'];
    expect(schemes).toMatchObject({ tokenAsPassword: { type: 'http', scheme: 'basic' } });
    expect(packages?.security).toContainEqual({ tokenAsPassword: [] });
    const project = document.paths['/api/v4/projects/{id}']?.['get'];
    expect(project?.parameters).toContainEqual(expect.objectContaining({ name: 'Sudo', in: 'header' }));
    expect(document.paths['/oauth/token']?.['post']?.parameters).toEqual([]);
  });

  it('describes the content of files, and parts where they are served', () => {
    for (const { method, path, answer, refusals } of listRoutes(api.app)) {
      if (!answer?.file || !path.startsWith('/api/v4/')) continue;
      const responses = document.paths[path.replace(/[:*](\w+)/g, '{$1}')]?.[method.toLowerCase()]?.responses;
      for (const status of Object.keys(answer.file.statuses ?? { 200: '' }))
        expect([path, Object.keys(responses?.[status]?.content ?? {}).length]).toEqual([path, 1]);
      const ranged = [206, 416].filter((status) => responses && status in responses && !(status in refusals));
      expect([path, ranged.length]).toEqual([path, answer.file.isRanged ? 2 : 0]);
    }
  });

  it('has no dangling references', () => {
    const places = new Set([...walk(served, '#')].map(([at]) => at));
    const broken = [...walk(served, '#')]
      .filter(([, { $ref }]) => typeof $ref === 'string' && !places.has($ref))
      .map(([at, one]) => `${at}: ${String(one['$ref'])}`);
    expect(broken).toEqual([]);
  });

  it('has shared parts of operations once, and references to them', () => {
    const seen = new Map<string, number>();
    for (const [, { parameters, responses }] of walk(served['paths'], '#'))
      for (const part of [parameters, responses].flatMap((all) => Object.values((all ?? {}) as Json)))
        if (!('$ref' in (part as Json)))
          seen.set(JSON.stringify(part), (seen.get(JSON.stringify(part)) ?? 0) + 1);
    expect([...seen].filter(([, times]) => times > 1)).toEqual([]);
    expect(JSON.stringify(served).length).toBeLessThan(1_200_000);
  });

  it('has operation ids that are unique', () => {
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('declares every parameter of every path, and each parameter once', () => {
    for (const [name, { parameters }] of operations()) {
      const inPath = parameters.filter((one) => one.in === 'path').map((one) => one.name);
      const inTemplate = [...name.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect([name, [...inPath].sort()]).toEqual([name, [...inTemplate].sort()]);
      for (const parameter of parameters) {
        if (parameter.in === 'path') expect([name, parameter.required]).toEqual([name, true]);
        expect([name, typeof parameter.schema]).toEqual([name, 'object']);
      }
      const keys = parameters.map((one) => `${one.in} ${one.name}`);
      expect([name, new Set(keys).size]).toEqual([name, keys.length]);
    }
  });

  it('requires one of two parameters if either is enough, and neither individually', () => {
    const labels = document.paths['/api/v4/projects/{id}/labels'];
    const query = (labels?.['delete']?.parameters ?? []).filter((one) => one.in === 'query');
    expect(query.map(({ name, required }) => [name, required])).toEqual([
      ['name', false],
      ['label_id', false],
    ]);
    const either = { anyOf: [{ required: ['name'] }, { required: ['label_id'] }] };
    const body = Object.values(document.components.schemas).find(
      (schema) => 'new_name' in Object(schema['properties']) && 'allOf' in schema,
    );
    expect(body?.['allOf']).toEqual([either]);
    expect(body?.['required']).toBeUndefined();
  });

  it('describes the responses and failures of every route', () => {
    for (const [name, { responses, tags }] of operations()) {
      const codes = Object.keys(responses);
      expect([name, codes.some((code) => /^2/.test(code))]).toEqual([name, true]);
      expect([name, codes.includes('401')]).toEqual([name, true]);
      expect([name, tags.length]).toEqual([name, 1]);
      for (const [code, response] of Object.entries(responses)) {
        expect([name, code]).toEqual([name, expect.stringMatching(/^[1-5]\d\d$/)]);
        expect([name, typeof response.description]).toEqual([name, 'string']);
      }
    }
  });

  it('has schemas of JSON Schema 2020-12', () => {
    const parts = [...walk(document.components.schemas, '#')];
    for (const [at, one] of parts) {
      if (/\/(properties|examples|example|default|enum|const)(\/\d+)?$/.test(at)) continue;
      if (/\/(examples|example|default)\//.test(at)) continue;
      const type = one['type'];
      const types = type === undefined ? [] : Array.isArray(type) ? (type as unknown[]) : [type];
      // The properties of a record may themselves be called `type`.
      if (typeof type === 'object' && !Array.isArray(type)) continue;
      expect([at, types.every((name) => TYPES.has(String(name)))]).toEqual([at, true]);
      if (types.includes('array')) expect([at, 'items' in one]).toEqual([at, true]);
      expect([at, 'nullable' in one && typeof one['nullable'] === 'boolean']).toEqual([at, false]);
    }
  });

  it('describes each schema that carries required fields with those fields', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const properties = Object.keys(schema['properties'] ?? {});
      for (const field of (schema['required'] ?? []) as string[])
        expect([name, properties.includes(field)]).toEqual([name, field !== '']);
    }
  });

  it('has valid examples of records', () => {
    const records = listRoutes(api.app).flatMap(({ path, answer }) =>
      path.startsWith('/api/v4/') && answer?.record ? [answer.record] : [],
    );
    expect(records.length).toBeGreaterThan(50);
    for (const record of records) {
      const { examples } = document.components.schemas[record.name] ?? {};
      if (!examples) continue;
      expect([record.name, checkRecord(record, (examples as unknown[])[0], '')]).toEqual([record.name, null]);
    }
  });

  it('has examples of bodies that their routes accept', () => {
    const bodies = new Map(operations().map(([name, { requestBody }]) => [name, requestBody?.content]));
    const refused: unknown[] = [];
    let taken = 0;
    for (const { method, path, params } of listRoutes(api.app)) {
      const content = bodies.get(`${method} ${path.replace(/:(\w+)/g, '{$1}')}`)?.['application/json'];
      const { $ref } = (content as { schema: { $ref: string } } | undefined)?.schema ?? { $ref: '' };
      const { examples } = document.components.schemas[$ref.replace(/^.*\//, '')] ?? {};
      if (!examples || !params) continue;
      const [example] = examples as Json[];
      const inPath = [...path.matchAll(/:(\w+)/g)].map((match): [string, string] => [
        match[1] as string,
        '1',
      ]);
      const bound = bind(params, [example as Json, Object.fromEntries(inPath)]);
      taken += 1;
      if (!bound.ok) refused.push([method, path, example, bound.missing, bound.problems]);
    }
    expect(taken).toBeGreaterThan(20);
    expect(refused).toEqual([]);
  });
});
