import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkingCopy } from '../support/git.js';
import { describeChanges } from '#core/repositories/pushes/describe-changes.js';
import { doneChanges } from '#core/repositories/pushes/done-changes.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';

let work: WorkingCopy;
let path: string;
let ids: Record<'one' | 'two' | 'three' | 'side' | 'tag', string>;

beforeAll(async () => {
  work = await new WorkingCopy().init();
  path = `${work.path}/.git`;
  const one = await work.commit({ a: '1' }, 'One');
  const two = await work.commit({ a: '2' }, 'Two\n\nbody');
  const three = await work.commit({ a: '3' }, 'Three');
  await work.git('checkout', '--quiet', '-b', 'side', one);
  const side = await work.commit({ b: '1' }, 'Side');
  await work.git('branch', 'twin', side);
  await work.git('tag', '--annotate', '--message', 'Release', 'v1', two);
  await work.git('tag', 'blob', `${one}:a`);
  ids = { one, two, three, side, tag: await work.git('rev-parse', 'v1') };
});
afterAll(() => work.remove());

const told = async (ref: string, before: string, after: string): Promise<unknown> => {
  const [{ commitCount, title } = {}] = await describeChanges(path, [{ ref, before, after }], 3);
  return [commitCount, title];
};

describe('describeChanges', () => {
  it('counts the new commits of a branch', async () => {
    expect(await told('refs/heads/main', ids.one, ids.three)).toEqual([2, 'Three']);
    expect(await told('refs/heads/main', ids.one, ids.two)).toEqual([1, 'Two']);
  });

  it('counts the commits that only the new side of a forced push has', async () => {
    expect(await told('refs/heads/main', ids.side, ids.three)).toEqual([2, 'Three']);
    expect(await told('refs/heads/main', ids.three, ids.one)).toEqual([0, 'One']);
  });

  it('counts for a new branch the commits that no other branch has', async () => {
    expect(await told('refs/heads/main', NO_OBJECT, ids.three)).toEqual([2, 'Three']);
    expect(await told('refs/heads/side', NO_OBJECT, ids.side)).toEqual([0, 'Side']);
  });

  it('reports commits that two new branches share with the first of them only', async () => {
    const changes = ['side', 'twin'].map((name) => ({
      ref: `refs/heads/${name}`,
      before: NO_OBJECT,
      after: ids.side,
    }));
    const counts = (await describeChanges(path, changes, 3)).map(({ commitCount }) => commitCount);
    expect(counts).toEqual([1, 0]);
  });

  it('supports tags, also of objects other than commits, and removals', async () => {
    expect(await told('refs/tags/v1', NO_OBJECT, ids.tag)).toEqual([0, 'Two']);
    const blob = await work.git('rev-parse', 'blob');
    expect(await told('refs/tags/blob', NO_OBJECT, blob)).toEqual([0, null]);
    expect(await told('refs/heads/gone', ids.one, NO_OBJECT)).toEqual([0, null]);
  });

  it('reads only the commits of refs that are reported individually, however many others there are', async () => {
    const many = Array.from({ length: 21 }, (_, index) => ({
      ref: `refs/heads/b${index}`,
      before: NO_OBJECT,
      after: ids.two,
    }));
    const changes = [...many, { ref: 'refs/heads/main', before: ids.one, after: ids.three }];
    const described = await describeChanges(path, changes, 20);
    expect(described.map(({ change }) => change)).toEqual(changes);
    expect(described.at(-1)).toMatchObject({ commitCount: 2, title: 'Three' });
    expect(new Set(described.slice(0, -1).map(({ title }) => title))).toEqual(new Set([null]));
    const told = await describeChanges(path, changes, 21);
    expect(new Set(told.map(({ title }) => title))).toEqual(new Set(['Two', 'Three']));
  });
});

describe('doneChanges', () => {
  const isDone = async (ref: string, before: string, after: string): Promise<boolean> =>
    (await doneChanges(path, [{ ref, before, after }])).length === 1;

  it('distinguishes completed changes from others', async () => {
    expect(await isDone('refs/heads/main', ids.two, ids.three)).toBe(true);
    expect(await isDone('refs/heads/main', ids.one, ids.two)).toBe(true);
    expect(await isDone('refs/heads/main', ids.three, ids.two)).toBe(false);
    expect(await isDone('refs/heads/main', ids.two, ids.side)).toBe(false);
    expect(await isDone('refs/heads/main', ids.two, 'f'.repeat(40))).toBe(false);
    expect(await isDone('refs/heads/main', ids.two, NO_OBJECT)).toBe(false);
    expect(await isDone('refs/heads/mai', ids.two, NO_OBJECT)).toBe(true);
    expect(await isDone('refs/heads/new', NO_OBJECT, ids.one)).toBe(false);
    expect(await isDone('refs/tags/v1', NO_OBJECT, ids.tag)).toBe(true);
    expect(await isDone('refs/tags/v1', ids.one, ids.two)).toBe(false);
  });

  it('finds no completed change if the repository does not exist', async () => {
    expect(
      await doneChanges('/nonexistent', [{ ref: 'refs/heads/a', before: NO_OBJECT, after: ids.one }]),
    ).toEqual([]);
  });
});
