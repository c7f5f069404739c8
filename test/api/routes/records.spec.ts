import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fieldsOf, type FieldClass } from '#kernel/http/fields/field-spec.js';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { ROOT_TOKEN, type TestApi } from '../../support/api.js';
import { startProbedApi } from '../../support/probe/start-probed-api.js';

/** Records whose keys are values themselves, shares by name of the language; and the empty object of a revocation. */
const WITHOUT_FIELDS = new Set(['LanguagesRecord', 'RevokedRecord']);

describe('records', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startProbedApi({ LOG_LEVEL: 'silent' });
  });
  afterAll(() => api.close());

  it('are checked against their declaration in tests', async () => {
    const answer = await api.root.get('/probe/wrong');
    expect([answer.status, answer.body]).toEqual([500, { message: '500 Internal Server Error' }]);
    expect(answer.text).not.toContain('secret');
  });

  it('are returned only with statuses that the API document lists for their routes', async () => {
    const told = 'GET /api/v4/probe/unsaid: 418 is not in the API document';
    await expect(api.root.get('/probe/unsaid')).rejects.toThrow(told);
    expect((await api.root.get('/probe/foreign?exposed=true')).status).toBe(422);
    // Routes for other clients report their own end.
    const other = await startProbedApi();
    const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN };
    expect((await fetch(`${other.url}/api/v4/probe/unsaid`, { headers })).status).toBe(418);
    await expect(other.close()).rejects.toThrow(told);
  });

  it('have fields, each name once, in every nested class', () => {
    const seen = new Set<FieldClass>();
    const visit = (type: FieldClass): void => {
      if (seen.has(type)) return;
      seen.add(type);
      const fields = fieldsOf(type);
      const names = fields.map((field) => field.name);
      expect([type.name, names.length > 0 || WITHOUT_FIELDS.has(type.name)]).toEqual([type.name, true]);
      expect([type.name, names.filter((name, index) => names.indexOf(name) !== index)]).toEqual([
        type.name,
        [],
      ]);
      for (const field of fields) {
        expect([type.name, field.name, typeof field.schema()]).toEqual([type.name, field.name, 'object']);
        if (field.nested) visit(field.nested());
      }
    };
    for (const { answer } of listRoutes(api.app)) if (answer?.record) visit(answer.record);
    expect(seen.size).toBeGreaterThan(3);
  });

  it('contain no secret that is not shown on purpose', () => {
    // The password and its digest, seeds and keys never leave; tokens are shown once, by the routes that make them.
    const forbidden = /digest|password_hash|encrypted|otp_secret|private_key|seed$/;
    const found = listRoutes(api.app).flatMap(({ answer, method, path }) =>
      answer?.record
        ? fieldsOf(answer.record)
            .filter((field) => forbidden.test(field.name) && !/storage_moves$|storage_moves\//.test(path))
            .map((field) => `${method} ${path}: ${field.name}`)
        : [],
    );
    expect(found).toEqual([]);
    const tokens = listRoutes(api.app).filter(
      ({ answer, method }) =>
        method === 'GET' &&
        answer?.record &&
        fieldsOf(answer.record).some(({ name, options }) => name === 'token' && !options.optional),
    );
    // Keys of alert integrations remain readable to their managers (decisions.md, "Alerts and errors").
    const hidden = tokens.filter(({ path }) => !/\/alert_management\/integrations(\/|$)/.test(path));
    expect(hidden.map(({ path }) => path)).toEqual([]);
  });
});
