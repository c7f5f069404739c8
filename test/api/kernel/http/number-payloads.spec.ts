import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertSender } from '../../../support/alert-sender.js';
import type { TestApi } from '../../../support/api.js';
import { buildTrackedProject } from '../../../support/builders/tracked-project.js';
import { sendToIntake, sentEvent } from '../../../support/error-sender.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

/** As JSON can write them, whether a double can represent them or not. */
const NUMBERS = [
  '1e308',
  '-1e308',
  '1e400',
  '1e200000',
  '-0',
  '1e-320',
  '9223372036854775808',
  '9'.repeat(400),
];

describe('numbers in payloads of tools and applications', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  it.each(NUMBERS)('do not prevent alerts from being shown: %s', async (number) => {
    const sender = await AlertSender.open(api);
    const names = ['start_time', 'end_time', 'severity', 'service', 'fingerprint', 'count'];
    const members = names.map((name) => `"${name}":${number}`).join(',');
    const sent = await sender.raw(`{"title":"Far",${members},"deep":[${number}]}`);
    expect(sent.status).toBe(200);
    const at = `/projects/${sender.project.id}/alert_management_alerts`;
    const list = await api.root.get<{ iid: number }[]>(at);
    expect([list.status, list.body.length]).toEqual([200, 1]);
    expect((await api.root.get(`${at}/${list.body[0]?.iid ?? 0}`)).status).toBe(200);
  });

  it.each(NUMBERS)('do not prevent errors from being shown: %s', async (number) => {
    const project = await buildTrackedProject(api.root);
    const frame = `{"filename":"a.js","function":"main","lineno":${number},"colno":${number},"in_app":true}`;
    const exception = `{"values":[{"type":"E","value":${number},"stacktrace":{"frames":[${frame}]}}]}`;
    // JSON uses the last of two members with the same name.
    const own = `"timestamp":${number},"exception":${exception},"level":${number},"extra":{"x":${number}}`;
    const body = `${JSON.stringify(sentEvent()).slice(0, -1)},${own}}`;
    expect((await sendToIntake(api.url, project, body, { to: 'store/' })).status).toBe(200);
    const at = `/projects/${project.id}/error_tracking/errors`;
    await until(async () => (await api.root.get<unknown[]>(at)).body.length === 1);
    const [error] = (await api.root.get<{ id: number }[]>(at)).body;
    expect((await api.root.get(`${at}/${error?.id ?? 0}`)).status).toBe(200);
    expect((await api.root.get(`${at}/${error?.id ?? 0}/events`)).status).toBe(200);
  });
});
