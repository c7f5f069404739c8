import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { consistencyChecks } from '../../src/cli/doctor/doctor-checks.js';
import { Installation, type Member } from '../support/installation.js';
import { COUNTED, TallyStorm } from '../support/tally-storm.js';

/**
 * Of a thousand requests that many may get 503: eight workers wait for the locks of two projects, but not for
 * long.
 */
const BUSY = 10;

let installation: Installation;
let member: Member;
beforeAll(async () => {
  installation = await Installation.create();
  member = await installation.start('all');
});
afterAll(() => installation.close());

it('every counter is correct after a minute of all kinds of concurrent writes', async () => {
  const storm = await TallyStorm.build(member.client);
  const { taken, asked, busy, failures } = await storm.rage(60, 28, () => Promise.resolve());
  const told = member.output().split('\n');
  expect({ failures, told: told.filter((line) => line.includes('"level":"error"')) }).toEqual({
    failures: [],
    told: [],
  });
  expect((busy * 1_000) / asked).toBeLessThanOrEqual(BUSY);
  expect(storm.names.filter((name) => taken[name] === undefined)).toEqual([]);
  const found: object[] = [];
  for (const { check, sql } of consistencyChecks.filter(({ check }) => COUNTED.test(check)))
    found.push(...(await installation.sql<{ what: string }>(sql)).map(({ what }) => ({ check, what })));
  expect(found).toEqual([]);
}, 180_000);
