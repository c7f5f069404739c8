import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { addToken, addUser, type AddedUser } from '../../../support/builders/instance.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('version and metadata', () => {
  let api: TestApi;
  let mona: AddedUser;
  beforeAll(async () => {
    api = await borrowApi();
    mona = await addUser(api, 'mona', ['read_user']);
    await addToken(api, mona.id, 'glpat-for-git-alone-0001', ['read_repository']);
  });
  afterAll(() => api.close());

  it('describe this release', async () => {
    const version = await api.root.get('/version');
    expect(version.body).toEqual({ version: '16.5.0', revision: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    const metadata = await api.root.get('/metadata');
    expect(metadata.body).toEqual({
      ...version.body,
      kas: { enabled: false, externalUrl: null, version: null },
      enterprise: true,
    });
    expect(metadata.headers.get('content-type')).toBe('application/json');
  });

  it.each(['/version', '/metadata'])('%s allows every user, even with only read_user', async (path) => {
    expect((await api.anonymous.get(path)).status).toBe(401);
    expect((await api.as(mona.token).get(path)).status).toBe(200);
    expect((await api.as('glpat-for-git-alone-0001').get(path)).status).toBe(403);
  });

  it.each(['/version', '/metadata'])('%s supports sudo', async (path) => {
    expect((await api.root.get(`${path}?sudo=mona`)).status).toBe(200);
    expect((await api.root.get(path, { Sudo: 'nobody' })).status).toBe(404);
    expect((await api.as(mona.token).get(path, { Sudo: 'root' })).status).toBe(403);
  });
});
