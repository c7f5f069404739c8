import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { consistencyChecks } from '../../src/cli/doctor-checks.js';
import { Installation, type Member } from '../support/installation.js';
import { COUNTED, TallyStorm } from '../support/tally-storm.js';

let installation: Installation;
let member: Member;
beforeAll(async () => {
  installation = await Installation.create();
  member = await installation.start('all');
});
afterAll(() => installation.close());

it('leaves every counter equal to what it counts after a minute of everything at once', async () => {
  const storm = await TallyStorm.build(member.client);
  const { taken, failures } = await storm.rage(60, 28, () => Promise.resolve());
  expect(failures).toEqual([]);
  expect(storm.names.filter((name) => taken[name] === undefined)).toEqual([]);
  const found: object[] = [];
  for (const { check, sql } of consistencyChecks.filter(({ check }) => COUNTED.test(check)))
    found.push(...(await installation.sql<{ what: string }>(sql)).map(({ what }) => ({ check, what })));
  expect(found).toEqual([]);
}, 180_000);
