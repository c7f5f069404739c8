import { describe, expect, it } from '@jest/globals';
import { packet } from '../git-command.js';
import { sameFetch } from './same-fetch.js';

const V2 = { GIT_PROTOCOL: 'version=2' };
const WANT = `want ${'1'.repeat(40)}`;

const body = (...lines: string[]): Buffer =>
  Buffer.concat([
    packet('command=fetch'),
    packet('agent=test'),
    Buffer.from('0001'),
    ...lines.map((line) => packet(`${line}\n`)),
    Buffer.from('0000'),
  ]);
const keyOf = (
  negotiation: Buffer,
  protocol: Record<string, string> = V2,
  path = '/missing',
): Promise<string | null> => sameFetch(path, protocol, negotiation);

describe('identical fetches of clients', () => {
  it('have the same key for the same repository and the same request', async () => {
    const [one, other] = [await keyOf(body(WANT, 'done')), await keyOf(body(WANT, 'done'))];
    expect(one).toEqual(expect.any(String));
    expect(other).toBe(one);
    expect(await keyOf(body(WANT, 'done'), V2, '/other')).not.toBe(one);
    expect(await keyOf(body(WANT, 'deepen 1', 'done'))).not.toBe(one);
  });

  it.each([
    ['is not done', body(WANT)],
    ['deepens from a ref', body(WANT, 'deepen-not refs/heads/main', 'done')],
    ['names a ref', body('want-ref refs/heads/main', 'done')],
    ['is truncated', body(WANT, 'done').subarray(0, -6)],
    ['is not a git request', Buffer.from('anything')],
    ['is empty', Buffer.alloc(0)],
    ['is a list of refs', Buffer.concat([packet('command=ls-refs\n'), Buffer.from('0000')])],
  ])('are not recognized if the request %s', async (_name, negotiation) => {
    expect(await keyOf(negotiation)).toBeNull();
  });

  it('are not recognized in older protocols', async () => {
    expect(await keyOf(body(WANT, 'done'), {})).toBeNull();
    expect(await keyOf(body(WANT, 'done'), { GIT_PROTOCOL: 'version=1' })).toBeNull();
  });
});
