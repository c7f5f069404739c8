import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HealthChecks } from '#kernel/health/health-checks.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { addUser } from '../../../support/builders/instance.js';
import { buildBrowser } from '../../../support/builders/session.js';
import { textOf } from '../../../support/storage-move-pages.js';

const PATH = '/admin/health';

let api: TestApi;
beforeAll(async () => (api = await startApi({ LOG_LEVEL: 'silent' })));
afterAll(() => api.close());

describe('the health page', () => {
  it('shows that everything works, and how much is left of limited resources', async () => {
    const admin = await buildBrowser(api, 1);
    const text = textOf((await admin.get(PATH)).text);
    expect(text).toMatch(/Everything that this instance needs works\. Version \d/);
    expect(text).toMatch(/object_storage Works (\w+ Works )*storage_default Works /);
    expect(text).toMatch(/\d+ of \d+ connections of the database are in use\. .* No server follows it\./);
    expect(text).toMatch(/storage_default [\d.]+ \w?B [\d.]+ \w?B/);
    expect((await admin.get('/admin/applications')).text).toContain(`href="${PATH}"`);
  });

  it('names failed dependencies, with their errors as text', async () => {
    api.app
      .get(HealthChecks)
      .register('broken', () => Promise.reject(new Error('<script>1</script>')), 'some', 1);
    await api.sql(
      `insert into backfills (name, done, total, error) values ('areas.names', 20, 100, '<b>refused</b>')`,
    );
    const { text } = await (await buildBrowser(api, 1)).get(PATH);
    expect(textOf(text)).toContain('Something that this instance needs does not work.');
    expect(textOf(text)).toContain('broken Down &lt;script&gt;1&lt;/script&gt;');
    expect(textOf(text)).toContain('areas.names 20 of 100 Not through &lt;b&gt;refused&lt;/b&gt;');
    expect(text).not.toMatch(/<script>|<b>/);
  });

  it('is only for administrators', async () => {
    const { id } = await addUser(api, 'somebody');
    expect((await (await buildBrowser(api, id)).get(PATH)).status).toBe(403);
  });
});
