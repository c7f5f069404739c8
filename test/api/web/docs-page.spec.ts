import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.js';

describe('the interactive page of the API', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  it('is served to all simultaneous first requests', async () => {
    const parts = ['', '/', '/swagger-ui-init.js', '/swagger-ui.css'];
    const answers = await Promise.all(parts.map((part) => fetch(`${api.url}/-/docs${part}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [page, again, data, style] = await Promise.all(answers.map((answer) => answer.text()));
    expect([page, again].every((text) => text?.includes('Forgeplane API'))).toBe(true);
    expect(data).toContain('/api/v4/openapi.json');
    expect(style).toContain('.swagger-ui');
  });

  it('loads its parts under its own policy', async () => {
    const page = await fetch(`${api.url}/-/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    const html = await page.text();
    expect(html).toContain('Forgeplane API');
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>\s*\S/);
    const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
    expect(parts.filter((part) => part.endsWith('.js')).length).toBeGreaterThan(1);
    for (const part of parts) {
      const url = new URL(part, `${api.url}/-/docs`);
      expect([part, url.origin]).toEqual([part, api.url]);
      const loaded = await fetch(url);
      expect([part, loaded.status]).toEqual([part, 200]);
      if (part.endsWith('.js')) expect(loaded.headers.get('content-type')).toContain('javascript');
      if (part.endsWith('.css')) expect(loaded.headers.get('content-type')).toContain('css');
      await loaded.arrayBuffer();
    }
  });
});

describe('without DOCS_ENABLED', () => {
  it('the page does not exist', async () => {
    const api = await startApi({ DOCS_ENABLED: 'false' });
    try {
      for (const path of ['/-/docs', '/-/docs/', '/-/docs/swagger-ui-init.js', '/-/docs-json']) {
        const answer = await api.anonymous.get(path);
        expect([path, answer.status, answer.body]).toEqual([path, 404, { error: '404 Not Found' }]);
      }
    } finally {
      await api.close();
    }
  });
});
