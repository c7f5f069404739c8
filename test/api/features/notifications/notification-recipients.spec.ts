import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startApi, type TestApi } from '../../../support/api.js';
import { MailStage } from '../../../support/mail-stage.js';
import { expectedMails, type MailWorld } from '../../../support/mail-world.js';
import { runs } from '../../../support/runs.js';

const USERS = 5;
const EVERYBODY = [0, 1, 2, 3, 4];
const KINDS = [
  'new_issue',
  'close_issue',
  'reassign_issue',
  'new_note',
  'issue_due',
  'mentioned',
  'relabeled',
  'moved_project',
  'new_release',
];

let api: TestApi;
let stage: MailStage;
beforeAll(async () => {
  api = await startApi();
  stage = new MailStage(api);
  await stage.build(USERS);
});
afterAll(async () => {
  await api.close();
});

const QUIET: MailWorld = {
  kind: 'close_issue',
  actor: 4,
  author: null,
  assignees: [],
  removed: [],
  named: [],
  notes: [],
  mentions: [],
  said: [],
  saidOfLabel: [],
  members: [],
  settings: [],
  own: [],
  mailable: EVERYBODY,
  readers: EVERYBODY,
};
const mails = (world: Partial<MailWorld>): Promise<string[]> => stage.mailsOf({ ...QUIET, ...world });
const level = (
  user: number,
  place: MailWorld['settings'][number]['place'],
  name: string,
  on: string[] = [],
) => ({ user, place, level: name, on, hasAddress: false }) as const;

const user = fc.integer({ min: 0, max: USERS - 1 });
const users = fc.uniqueArray(user, { maxLength: 3 });
const most = fc.uniqueArray(user, { minLength: 2, maxLength: USERS });
const place = fc.constantFrom('project', 'group', 'top', 'elsewhere');
const everyPlace = fc.constantFrom('project', 'group', 'top', 'elsewhere', 'everywhere');
const once = (one: { user: number; place?: string }): string => `${one.user} ${one.place ?? ''}`;
const worlds = fc.record({
  kind: fc.constantFrom(...KINDS),
  actor: fc.option(user),
  author: fc.option(user),
  assignees: users,
  removed: users,
  named: users,
  notes: fc.array(fc.record({ author: user, system: fc.boolean() }), { maxLength: 3 }),
  mentions: fc.uniqueArray(fc.record({ user, inNote: fc.boolean() }), {
    maxLength: 3,
    selector: ({ user: of, inNote }) => `${of} ${inNote}`,
  }),
  said: fc.uniqueArray(fc.record({ user, subscribed: fc.boolean() }), { maxLength: 3, selector: once }),
  saidOfLabel: fc.uniqueArray(
    fc.record({ user, place: fc.constantFrom('group', 'project', 'elsewhere'), subscribed: fc.boolean() }),
    { maxLength: 4, selector: once },
  ),
  members: fc.uniqueArray(fc.record({ user, place, expired: fc.boolean() }), {
    maxLength: 4,
    selector: once,
  }),
  settings: fc.uniqueArray(
    fc.record({
      user,
      place: everyPlace,
      level: fc.constantFrom('disabled', 'participating', 'watch', 'global', 'mention', 'custom'),
      on: fc.uniqueArray(fc.constantFrom(...KINDS), { maxLength: 4 }),
      hasAddress: fc.boolean(),
    }),
    { minLength: 2, maxLength: 10, selector: once },
  ),
  own: users,
  mailable: most,
  readers: most,
}) satisfies fc.Arbitrary<MailWorld>;

describe('recipients of mails', () => {
  it('are those named by the rules, in any combination', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const isOfProject = ['moved_project', 'new_release'].includes(world.kind);
        const known = isOfProject ? { ...world, readers: EVERYBODY, said: [] } : world;
        expect(await stage.mailsOf(world)).toEqual(expectedMails(known, USERS));
      }),
      { numRuns: runs(120) },
    );
  });

  it('depend on the nearest level: that of a subgroup wins over the global level', async () => {
    const settings = [
      level(0, 'everywhere', 'watch'),
      level(0, 'group', 'participating'),
      level(1, 'top', 'watch'),
    ];
    const members = [{ user: 0, place: 'project', expired: false }] as const;
    expect(await mails({ settings, members })).toEqual(['1 first none']);
    expect(await mails({ settings: [level(0, 'everywhere', 'watch')], members })).toEqual(['0 first none']);
    expect(await mails({ settings: [level(0, 'everywhere', 'watch')] })).toEqual([]);
  });

  it('include subscribers at any level, and exclude unsubscribed users unless they are mentioned', async () => {
    const settings = [level(0, 'everywhere', 'disabled')];
    const said = [
      { user: 0, subscribed: true },
      { user: 1, subscribed: false },
      { user: 2, subscribed: false },
    ];
    const mentions = [{ user: 2, inNote: true }];
    const world = { kind: 'new_note', settings, said, mentions, assignees: [1] };
    expect(await mails(world)).toEqual(['0 first subscribed', '2 first mentioned']);
  });

  it('include users who watch, but not for due dates', async () => {
    const settings = [level(0, 'project', 'watch'), level(1, 'project', 'custom', ['issue_due'])];
    expect(await mails({ kind: 'new_issue', settings })).toEqual(['0 first none']);
    expect(await mails({ kind: 'issue_due', settings, assignees: [2] })).toEqual([
      '1 first none',
      '2 first none',
    ]);
  });

  it('include, at the level "mention", mentioned, newly assigned and formerly assigned users', async () => {
    const settings = [0, 1, 2].map((one) => level(one, 'everywhere', 'mention'));
    expect(await mails({ settings, author: 0, assignees: [1] })).toEqual([]);
    const reassigned = { kind: 'reassign_issue', settings, author: 0, assignees: [1], removed: [2] };
    expect(await mails(reassigned)).toEqual(['1 first assigned', '2 first none']);
    expect(await mails({ kind: 'new_issue', settings, mentions: [{ user: 0, inNote: false }] })).toEqual([
      '0 first mentioned',
    ]);
  });

  it('include users who subscribed to a label of a new issue', async () => {
    const saidOfLabel = [
      { user: 0, place: 'group', subscribed: true },
      { user: 0, place: 'elsewhere', subscribed: false },
      { user: 1, place: 'group', subscribed: true },
      { user: 1, place: 'project', subscribed: false },
    ] as const;
    expect(await mails({ kind: 'new_issue', saidOfLabel })).toEqual(['0 first subscribed']);
    expect(await mails({ kind: 'close_issue', saidOfLabel })).toEqual([]);
  });

  it('exclude bots, and users who are blocked, deactivated, being removed, or have no confirmed address', async () => {
    const [id] = stage.userIds;
    for (const change of [
      `state = 'blocked'`,
      `state = 'deactivated'`,
      `user_type = 'project_bot'`,
      'pending_delete = true',
    ]) {
      expect(await mails({ assignees: [0] })).toEqual(['0 first none']);
      await api.sql(`update users set ${change} where id = $1`, [id]);
      const silent = await mails({ assignees: [0] });
      const normal = `state = 'active', user_type = 'human', pending_delete = false`;
      await api.sql(`update users set ${normal} where id = $1`, [id]);
      expect([change, silent]).toEqual([change, []]);
    }
    expect(await mails({ assignees: [0], mailable: [1] })).toEqual([]);
  });
});
