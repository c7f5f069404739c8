import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pushPayloads, type DescribedChange } from './push-payload.js';
import { NO_OBJECT } from './ref-change.js';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);

const change = (
  ref: string,
  before: string,
  after: string,
  commitCount = 2,
  title: string | null = 'Title',
): DescribedChange => ({ change: { ref, before, after }, commitCount, title });

describe('pushPayloads', () => {
  it('describes an updated branch', () => {
    expect(pushPayloads([change('refs/heads/a/b', A, B)], 3)).toEqual([
      {
        commit_count: 2,
        action: 'pushed',
        ref_type: 'branch',
        commit_from: A,
        commit_to: B,
        ref: 'a/b',
        commit_title: 'Title',
        ref_count: null,
      },
    ]);
  });

  it('describes created and removed refs', () => {
    const [made, removed] = pushPayloads(
      [change('refs/tags/v1', NO_OBJECT, B), change('refs/heads/x', A, NO_OBJECT, 9, null)],
      3,
    );
    expect(made).toMatchObject({ action: 'created', ref_type: 'tag', commit_from: null, commit_to: B });
    expect(removed).toMatchObject({
      action: 'removed',
      commit_from: A,
      commit_to: null,
      commit_count: 0,
      commit_title: null,
    });
  });

  it('summarizes refs beyond the limit in one event', () => {
    const branches = [1, 2, 3].map((number) => change(`refs/heads/b${number}`, NO_OBJECT, B));
    expect(pushPayloads(branches, 3)).toHaveLength(3);
    expect(pushPayloads(branches, 2)).toEqual([
      {
        commit_count: 0,
        action: 'created',
        ref_type: 'branch',
        commit_from: null,
        commit_to: null,
        ref: null,
        commit_title: null,
        ref_count: 3,
      },
    ]);
  });

  it.each([
    ['x'.repeat(70), 'x'.repeat(70)],
    ['x'.repeat(71), `${'x'.repeat(67)}...`],
    ['  spaced \n', 'spaced'],
  ])('shortens the title %j', (title, short) => {
    expect(pushPayloads([change('refs/heads/a', A, B, 1, title)], 3)[0]?.commit_title).toBe(short);
  });

  it('does not split a character', () => {
    const [payload] = pushPayloads([change('refs/heads/a', A, B, 1, '\u{1F600}'.repeat(71))], 3);
    expect(payload?.commit_title).toBe(`${'\u{1F600}'.repeat(67)}...`);
  });

  it('includes each branch and tag once, and nothing else, whatever is pushed', () => {
    const object = fc.constantFrom(NO_OBJECT, A, B);
    const ref = fc.tuple(
      fc.constantFrom('refs/heads/', 'refs/tags/', 'refs/notes/'),
      fc.string({ minLength: 1 }),
    );
    const described = ref.chain(([prefix, name]) =>
      fc
        .tuple(object, object, fc.nat(), fc.option(fc.string()))
        .map(([before, after, count, title]) => change(prefix + name, before, after, count, title)),
    );
    const pushes = fc.array(described, { maxLength: 30 });
    fc.assert(
      fc.property(pushes, fc.integer({ min: 0, max: 5 }), (changes, limit) => {
        const payloads = pushPayloads(changes, limit);
        const told = payloads.reduce((sum, payload) => sum + (payload.ref_count ?? 1), 0);
        expect(told).toBe(
          changes.filter(({ change: { ref: full } }) => !full.startsWith('refs/notes/')).length,
        );
        const groups = payloads.map(({ ref_type, action }) => `${ref_type} ${action}`);
        for (const payload of payloads) {
          const size =
            payload.ref_count ??
            groups.filter((group) => group === `${payload.ref_type} ${payload.action}`).length;
          expect(payload.ref_count === null).toBe(size <= limit);
          expect(payload.commit_from === null || payload.action !== 'created').toBe(true);
          expect(Array.from(payload.commit_title ?? '').length).toBeLessThanOrEqual(70);
          if (payload.action === 'removed' || payload.ref_count !== null)
            expect(payload.commit_count).toBe(0);
        }
      }),
    );
  });
});
