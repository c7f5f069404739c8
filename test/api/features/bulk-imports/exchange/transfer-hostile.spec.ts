import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RecordRefused } from '#core/exchange/record-refused.js';
import type { Portable } from '#core/exchange/relation-export.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import type { TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildProject } from '../../../../support/builders/project.js';
import { borrowApi } from '../../../../support/shared-api.js';
import {
  handmadeTarget,
  importRecords,
  offered,
  type HandmadeTarget,
} from '../../../../support/transfer-target.js';
import { anyCharacter } from '../../../../support/any-text.js';
import { runs } from '../../../../support/runs.js';

const text = fc.oneof(
  fc.string({ maxLength: 40, unit: anyCharacter }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '@all @root',
    'a,b',
    'x'.repeat(256),
    'DiffNote',
    'thumbsup',
  ),
);
const number = fc.oneof(
  fc.constantFrom(0, -1, 1, 2, 7, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 1.5, 1e300),
  fc.integer(),
);
const time = fc.constantFrom(
  '2020-01-02T03:04:05Z',
  '2020-02-31',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '275760-09-13T00:00:00Z',
  'now',
  '2020-01-02 03:04:05 UTC',
  '2031-04-05',
);
const value = fc.oneof(text, number, time, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));

/** An object with some of these attributes, each arbitrary or valid. */
const recordOf = (
  names: readonly string[],
  nested: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<SourceRecord> =>
  fc.record(
    {
      ...Object.fromEntries(names.map((name) => [name, value])),
      ...Object.fromEntries(
        Object.entries(nested).map(([name, one]) => [name, fc.oneof({ weight: 4, arbitrary: one }, value)]),
      ),
    },
    { requiredKeys: [] },
  );
const list = (one: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> =>
  fc.array(fc.oneof({ weight: 5, arbitrary: one }, value), { maxLength: 3 });

const times = { created_at: time, updated_at: time, closed_at: time };
const title = fc.oneof(fc.string({ minLength: 1, maxLength: 20 }), text);
const words = { title, state: fc.constantFrom('opened', 'closed', 'merged', 'active'), ...times };
const emoji = recordOf(['name', 'user_id', 'created_at'], {
  name: fc.constantFrom('thumbsup', 'thumbsdown', 'tada', 'none'),
  user_id: fc.constantFrom(7, 8, 9),
});
const label = recordOf(['title', 'color', 'description', 'priorities'], { title, ...times });
const milestone = recordOf(['iid', 'title', 'description', 'state', 'due_date', 'start_date'], {
  ...words,
  start_date: time,
  due_date: time,
});
const note = recordOf(
  ['note', 'author_id', 'system', 'type', 'discussion_id', 'position', 'internal', 'author'],
  {
    note: text,
    author_id: fc.constantFrom(7, 8, 9),
    resolved_at: time,
    resolved_by_id: number,
    author: recordOf(['name']),
    award_emoji: list(emoji),
    system_note_metadata: recordOf(['action']),
    ...times,
  },
);
const talk = {
  ...words,
  author_id: fc.constantFrom(7, 8, 9),
  notes: list(note),
  award_emoji: list(emoji),
  label_links: list(recordOf([], { label })),
  subscriptions: list(recordOf(['user_id', 'subscribed'], { user_id: fc.constantFrom(7, 8) })),
};
const issue = recordOf(
  ['description', 'confidential', 'weight', 'health_status', 'issue_type', 'discussion_locked', 'severity'],
  {
    ...talk,
    due_date: time,
    relative_position: number,
    time_estimate: number,
    closed_by_id: number,
    milestone,
    issue_assignees: list(recordOf(['user_id'])),
    timelogs: list(recordOf(['time_spent', 'user_id', 'spent_at', 'summary'], { time_spent: number })),
    epic_issue: recordOf(['relative_position'], { epic: recordOf(['id', 'iid', 'title']) }),
  },
);
const epic = recordOf(['description', 'confidential', 'start_date_is_fixed', 'due_date_is_fixed'], {
  ...talk,
  start_date_fixed: time,
  due_date_fixed: time,
  end_date: time,
});

describe('records of a hostile source', () => {
  let api: TestApi;
  let owners: Record<Portable, number>;
  let target: (of: Portable) => HandmadeTarget;

  beforeAll(async () => {
    api = await borrowApi();
    const { id: group } = await buildGroup(api);
    owners = { group, project: (await buildProject(api.root, { namespace_id: group })).id };
    target = (of) => handmadeTarget({ of, ownerId: owners[of], users: new Map([[7, 1]]) });
  });
  afterAll(() => api.close());

  it.each([
    ['group', 'labels', label],
    ['project', 'labels', label],
    ['group', 'milestones', milestone],
    ['project', 'milestones', milestone],
    ['group', 'epics', epic],
    ['project', 'issues', issue],
  ] as const)('of a %s, %s, are refused or written completely', async (of, relation, arbitrary) => {
    const { pipeline } = offered(api, of, relation);
    const there = target(of);
    const kept: SourceRecord[] = [];
    let iid = 0;
    const sample = fc.sample(arbitrary, { numRuns: runs(600), seed: 8 });
    for (const given of sample) {
      const key = pipeline.key(given);
      expect(key).toMatch(/^[\x20-\x7e]{1,300}$/);
      for (const id of pipeline.userIds(given)) expect(Number.isSafeInteger(id)).toBe(true);
      expect(typeof (pipeline.title(given) ?? '')).toBe('string');
      iid += 1;
      const numbered = 'iid' in given ? given : { ...given, iid };
      try {
        pipeline.transform(numbered, there);
        kept.push({ ...numbered, iid });
      } catch (error) {
        expect(error).toBeInstanceOf(RecordRefused);
      }
    }
    expect(kept.length).toBeGreaterThan(runs(100));
    for (let at = 0; at < kept.length; at += 100)
      await importRecords(api, there, relation, kept.slice(at, at + 100));
  });

  it('do not make confidential objects public, and are refused with invalid numbers and long texts', () => {
    const { pipeline } = offered(api, 'project', 'issues');
    const read = (values: object): unknown =>
      pipeline.transform({ iid: 1, title: 'x', ...values }, target('project'));
    for (const confidential of ['true', 1, 'yes', {}, true])
      expect(read({ confidential })).toMatchObject({ columns: { confidential: true } });
    for (const iid of [0, -1, 2 ** 31, 1.5, '1', null]) expect(() => read({ iid })).toThrow(RecordRefused);
    expect(() => read({ title: 'x'.repeat(256) })).toThrow('title is too long');
    expect(() => read({ description: 'x'.repeat(1_048_577) })).toThrow('description is too long');
    expect(() => read({ notes: [{ note: 'x'.repeat(1_000_001) }] })).toThrow('note is too long');
  });

  it('are refused if they use a number twice, and leave nothing behind', async () => {
    const count = async (): Promise<object[]> =>
      api.sql('select (select count(*) from issues) as issues, (select count(*) from notes) as notes');
    const one = { iid: 900_001, title: 'One', notes: [{ note: 'Hear' }] };
    await importRecords(api, target('project'), 'issues', [one]);
    const before = await count();
    const again = importRecords(api, target('project'), 'issues', [{ ...one, iid: 900_002 }, one]);
    await expect(again).rejects.toThrow(RecordRefused);
    const twice = { ...one, iid: 900_003 };
    await expect(importRecords(api, target('project'), 'issues', [twice, twice])).rejects.toThrow(
      RecordRefused,
    );
    expect(await count()).toEqual(before);
  });
});
