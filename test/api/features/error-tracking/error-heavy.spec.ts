import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildTrackedProject, type TrackedProject } from '../../../support/builders/tracked-project.js';
import { envelopeOf, sendToIntake, sentEvent } from '../../../support/error-sender.js';
import { longestOwnStop } from '../../../support/longest-stop.js';

/** Milliseconds for which one envelope may block all other requests. */
const LIMIT_MS = 400;

const session = {
  type: 'session',
  ...Object.fromEntries(Array.from({ length: 990 }, (_, at) => [`attribute${at}`, 'value'])),
};

/** Up to twenty mebibytes each, the limit of an envelope; a few kilobytes as sent. */
const ENVELOPES: readonly (readonly [string, string, number])[] = [
  ['headers of sessions', envelopeOf(Array.from({ length: 800 }, () => [session, {}])), 200],
  ['lines that are no items', `{}\n${'a\n'.repeat(999_990)}`, 200],
  ['lines that are hardly items', `{}\n${' \t {x\n'.repeat(1_500_000)}`, 413],
  [
    'escapes in events',
    envelopeOf(
      Array.from({ length: 15 }, () => ['event', sentEvent({ message: `\0${'"'.repeat(400_000)}` })]),
    ),
    200,
  ],
];

describe('an envelope of twenty mebibytes does not hold up other requests:', () => {
  let api: TestApi;
  let project: TrackedProject;
  beforeAll(async () => {
    api = await startApi();
    project = await buildTrackedProject(api.root);
  });
  afterAll(() => api.close());

  it.each(ENVELOPES)('%s', async (_name, envelope, status) => {
    const packed = gzipSync(envelope);
    const stop = await longestOwnStop(LIMIT_MS, async () => {
      const headers = { 'Content-Encoding': 'gzip' };
      expect((await sendToIntake(api.url, project, packed, { headers })).status).toBe(status);
    });
    expect(stop).toBeLessThan(LIMIT_MS);
  });
});
