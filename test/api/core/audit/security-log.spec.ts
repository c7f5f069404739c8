import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { logger, requestLogger } from '#kernel/log/logger.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { until } from '../../../support/until.js';

const SECRET = 'S3cretOfTheLogTest01';

describe('log lines', () => {
  let api: TestApi;
  let lines: string[] = [];
  const former = { request: '', root: '' };

  beforeAll(async () => {
    api = await startApi();
    former.request = requestLogger.level;
    former.root = logger.level;
    requestLogger.level = 'info';
    logger.level = 'info';
  });
  afterAll(async () => {
    requestLogger.level = former.request;
    logger.level = former.root;
    await api.close();
  });
  beforeEach(() => {
    lines = [];
    const keep = (...line: unknown[]): void => void lines.push(JSON.stringify(line));
    jest.spyOn(requestLogger, 'info').mockImplementation(keep);
    for (const level of ['info', 'warn', 'error'] as const)
      jest.spyOn(logger, level).mockImplementation(keep);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const json = { 'Content-Type': 'application/json' };
  const requests: readonly [string, () => Promise<unknown>][] = [
    ['private_token', () => api.anonymous.get(`/user?private_token=${SECRET}`)],
    ['access_token', () => api.anonymous.get(`/user?access_token=${SECRET}`)],
    ['an array of job tokens', () => api.anonymous.get(`/user?job_token[]=${SECRET}`)],
    ['a bearer', () => api.anonymous.get('/user', { Authorization: `Bearer ${SECRET}` })],
    ['a header', () => api.as(SECRET).get('/user')],
    ['a cookie', () => api.anonymous.get('/user', { Cookie: `_service_session=${SECRET}` })],
    ['a token in the path', () => api.root.get(`/foo/glpat-${SECRET}/x`)],
    ['a token in another parameter', () => api.root.get(`/users?search=glpat-${SECRET}`)],
    ['a password', () => api.root.post('/users', { username: 'x', password: SECRET })],
    ['a key', () => api.root.post('/user/keys', { title: 't', key: SECRET })],
    ['a nested secret', () => api.root.put('/application/settings', { a: [{ b: { secret: SECRET } }] })],
    ['user-info', () => api.root.send('POST', '/projects', `import_url=https://u:${SECRET}@h/`, form)],
    ['malformed JSON', () => api.root.send('POST', '/projects', `{"password":"${SECRET}`, json)],
  ];

  it.each(requests)('do not contain a secret in %s', async (_name, request) => {
    await request();
    await until(() => lines.length > 0);
    expect(lines.join('\n')).not.toContain(SECRET);
    expect(lines.join('\n')).not.toContain(ROOT_TOKEN);
  });

  it('cannot be broken by user input', async () => {
    await api.anonymous.get('/users/%0a%7b%22level%22%3a%22fatal%22%7d%0d?x=%0a%0d', {
      'User-Agent': 'a\tb',
    });
    await until(() => lines.length > 0);
    expect(lines.join('')).not.toMatch(/\\n|\\r|\\t/);
  });
});
