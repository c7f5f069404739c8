import { describe, expect, it } from '@jest/globals';
import { RouteIndex } from './route-index.js';

const index = new RouteIndex();
for (const [method, path] of [
  ['GET', '/'],
  ['PUT', '/api/v4/projects/:id'],
  ['GET', '/api/v4/projects/:id'],
  ['GET', '/api/v4/projects/:id/jobs/:job_id/artifacts/*path'],
  ['GET', '/api/v4/projects/:id/jobs/artifacts/:ref/raw/*path'],
  ['POST', '/api/v4/projects/:id/uploads'],
  ['GET', '/api/v4/projects/:id/labels'],
  ['GET', '/api/v4/version'],
  // Registered before the literal one, which takes precedence.
  ['GET', '/users/:id'],
  ['GET', '/users/current'],
  ['GET', '/users/:id/keys'],
  ['HEAD', '/users/current'],
  ['GET', '/users/archive.:format'],
  ['POST', '/*project/alerts/notify/:slug'],
  ['POST', '/*project/alerts/notify'],
  ['GET', '/*repository/info/refs'],
] as const)
  index.add(method, path, () => undefined);

const find = (method: string, path: string): unknown => {
  const found = index.find(method, path);
  return found && [found.route.path, { ...found.params }];
};

describe('RouteIndex', () => {
  it.each([
    ['GET', '/', '/', {}],
    ['PUT', '/api/v4/projects/a%2Fb', '/api/v4/projects/:id', { id: 'a/b' }],
    ['GET', '/api/v4/projects/1/', '/api/v4/projects/:id', { id: '1' }],
    ['HEAD', '/api/v4/projects/1', '/api/v4/projects/:id', { id: '1' }],
    ['HEAD', '/users/current', '/users/current', {}],
    ['GET', '/users/current', '/users/current', {}],
    ['GET', '/users/archive.tar.gz', '/users/archive.:format', { format: 'tar.gz' }],
    ['GET', '/users/archive.', '/users/:id', { id: 'archive.' }],
    ['GET', '/api/v4/version.json', '/api/v4/version', {}],
    ['HEAD', '/api/v4/projects/a%2Fb/labels.json', '/api/v4/projects/:id/labels', { id: 'a/b' }],
    ['GET', '/api/v4/projects/a%2Fb.json', '/api/v4/projects/:id', { id: 'a/b.json' }],
    // No route matches below the literal segment, so the parameter is tried.
    ['GET', '/users/current/keys', '/users/:id/keys', { id: 'current' }],
    ['POST', '/a/b/alerts/notify', '/*project/alerts/notify', { project: ['a', 'b'] }],
    ['POST', '/a%20b/alerts/notify/x/', '/*project/alerts/notify/:slug', { project: ['a b'], slug: 'x' }],
    ['GET', '/a//info/refs', '/*repository/info/refs', { repository: ['a', ''] }],
    [
      'GET',
      '/api/v4/projects/1/jobs/2/artifacts/info/refs',
      '/api/v4/projects/:id/jobs/:job_id/artifacts/*path',
      { id: '1', job_id: '2', path: ['info', 'refs'] },
    ],
    [
      'GET',
      '/api/v4/projects/1/jobs/artifacts/main/raw/a/b/',
      '/api/v4/projects/:id/jobs/artifacts/:ref/raw/*path',
      { id: '1', ref: 'main', path: ['a', 'b', ''] },
    ],
  ])('finds %s %s', (method, path, template, params) =>
    expect(find(method, path)).toEqual([template, params]),
  );

  it.each([
    ['GET', '/api/v4/projects/1/uploads'],
    ['POST', '/api/v4/projects/1/uploads/2'],
    ['PUT', '/api/v4/projects'],
    ['PUT', '/api/v4/projects/'],
    ['PUT', '/api/v4/Projects/1'],
    ['GET', '/users//keys'],
    ['GET', '/info/refs'],
    ['GET', '//info/refs'],
    ['POST', '/a/alerts/notify//'],
    ['GET', '/api/v4/projects/1/jobs/2/artifacts'],
    ['DELETE', '/'],
    ['POST', '/api/v4/version.json'],
    ['GET', '/api/v4/version.xml'],
    ['GET', '/api/v4/version.json.json'],
    ['GET', '/api/v4/.json'],
    ['HEAD', '/users/current/keys.json'],
  ])('does not find %s %s', (method, path) => expect(find(method, path)).toBeUndefined());

  it('returns the methods of a path, except wildcards', () => {
    expect(index.methodsOf('/api/v4/projects/1')).toEqual(['GET', 'HEAD', 'PUT']);
    expect(index.methodsOf('/a/info/refs')).toEqual([]);
  });

  it('throws for invalid escapes', () => {
    expect(() => find('GET', '/users/%E0%A4%A')).toThrow(URIError);
  });

  it('refuses routes that it would not find: other templates, duplicates, and unregistered routes', () => {
    for (const path of ['/a/{b}', '/a/:b.json', '/a/*b.json', '/*a/*b', 'a'])
      expect(() => index.add('GET', path, () => undefined)).toThrow('no template of a route');
    expect(() => index.add('GET', '/users/:other', () => undefined)).toThrow('registered twice');
    const plain = { rawBody: true, longRunning: false, rule: undefined };
    expect(() => index.describe([{ method: 'GET', path: '/nowhere', ...plain }])).toThrow('never registered');
    index.describe([{ method: 'GET', path: '/users/current', ...plain }]);
    expect(index.find('GET', '/users/current')?.route.facts).toEqual({
      rawBody: true,
      longRunning: false,
      isPage: false,
    });
  });
});
