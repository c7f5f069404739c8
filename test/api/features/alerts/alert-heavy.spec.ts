import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { alertmanagerBody } from '../../../support/alert-desk.js';
import { AlertSender } from '../../../support/alert-sender.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { longestOwnStop } from '../../../support/longest-stop.js';

/** Milliseconds for which one payload may block all other requests. */
const LIMIT_MS = 400;

const MEBIBYTE = 1024 * 1024;

const alert = (values: Readonly<Record<string, unknown>>): string => JSON.stringify(alertmanagerBody(values));

/** A group of alerts, each just small enough to be stored. */
const group = (text: string, count: number): string =>
  JSON.stringify(
    alertmanagerBody(...Array.from({ length: count }, (_, at) => ({ fingerprint: `${at}`, text }))),
  );

/** Up to five mebibytes each, the limit of a payload. */
const PAYLOADS: readonly (readonly [string, string, number])[] = [
  ['a link with millions of parameters', alert({ generatorURL: `http://a/?${'a&'.repeat(2_000_000)}` }), 413],
  ['escapes next to a NUL', group(`\0${'"'.repeat(400_000)}`, 6), 200],
  ['NULs', group('\0'.repeat(160_000), 5), 200],
  ['halves of characters', group('\ud800'.repeat(160_000), 5), 200],
  ['one long text each', group('a'.repeat(900_000), 5), 200],
];

describe('a payload of five mebibytes does not hold up other requests:', () => {
  let api: TestApi;
  let sender: AlertSender;
  beforeAll(async () => {
    api = await startApi();
    sender = await AlertSender.open(api);
  });
  afterAll(() => api.close());

  it.each(PAYLOADS)('%s', async (_name, body, status) => {
    expect(body.length).toBeLessThan(5 * MEBIBYTE);
    const stop = await longestOwnStop(LIMIT_MS, async () => {
      expect((await sender.raw(body)).status).toBe(status);
    });
    expect(stop).toBeLessThan(LIMIT_MS);
  });
});
