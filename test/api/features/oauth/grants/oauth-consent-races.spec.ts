import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApplicationsQueries } from '#core/oauth-tokens/applications/applications.queries.js';
import { AuthorizingUserQueries } from '#features/oauth/authorization/authorizing-user.queries.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { addUser } from '../../../../support/builders/instance.js';
import { buildApplication, type BuiltApplication } from '../../../../support/builders/oauth.js';
import { ConsentBrowser, fieldsOf, goodRequest } from '../../../../support/consent.js';

let api: TestApi;
let browser: ConsentBrowser;
let application: BuiltApplication;
beforeAll(async () => {
  api = await startApi();
  browser = await ConsentBrowser.of(api, (await addUser(api, 'asked')).id);
  application = await buildApplication(api);
});
afterAll(() => api.close());
afterEach(() => void jest.restoreAllMocks());

describe('an approval', () => {
  it('is not valid for an application that changes at the same moment', async () => {
    const queries = api.app.get(ApplicationsQueries, { strict: false });
    const judged = await queries.findByUidOrNull(application.uid);
    if (!judged) throw new Error('The application is gone');
    const asked = jest.spyOn(queries, 'findByUidOrNull');
    asked.mockResolvedValueOnce(judged);
    const fields = fieldsOf((await browser.ask(goodRequest(application))).text, 'Authorize');
    await api.sql(`update oauth_applications set name = 'Renamed', updated_at = now() where id = $1`, [
      application.id,
    ]);
    asked.mockResolvedValueOnce(judged);
    const answer = await browser.send(fields);
    expect([answer.status, answer.text.includes('Authorize Renamed?')]).toEqual([422, true]);
  });

  it('is not valid for a user who is removed at the same moment', async () => {
    const going = await addUser(api, 'going');
    const theirs = await ConsentBrowser.of(api, going.id);
    const fields = fieldsOf((await theirs.ask(goodRequest(application))).text, 'Authorize');
    const users = api.app.get(AuthorizingUserQueries, { strict: false });
    const found = await users.findOrNull(theirs.session.id);
    jest.spyOn(users, 'findOrNull').mockImplementationOnce(async () => {
      await api.sql('delete from users where id = $1', [going.id]);
      return found;
    });
    const answer = await theirs.send(fields);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/users/sign_in']);
  });
});
