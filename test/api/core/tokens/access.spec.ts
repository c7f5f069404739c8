import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('credentials', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it('include a personal access token', async () => {
    const answer = await api.root.get('/version');
    expect(answer.status).toBe(200);
    expect(answer.body['version']).toBe('16.5.0');
  });

  it('are refused alike if they are missing or unknown', async () => {
    for (const client of [api.anonymous, api.as('glpat-nobody')]) {
      const answer = await client.get('/version');
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ message: '401 Unauthorized' });
    }
  });
});
