import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readRedisAddress, redisAddressProblem } from './redis-address.js';

const host = fc.oneof(fc.domain(), fc.ipV4(), fc.constantFrom('redis-0', 'my_sentinel'));
const endpoint = fc.record({ host: fc.oneof(host, fc.ipV6()), port: fc.integer({ min: 1, max: 65_535 }) });
const secret = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());
const name = fc.stringMatching(/^[\w.-]{1,20}$/);
const address = fc.record(
  {
    sentinels: fc.array(endpoint, { minLength: 1, maxLength: 5 }),
    name,
    db: fc.nat(9_999),
    tls: fc.boolean(),
    username: secret,
    password: secret,
    sentinelUsername: secret,
    sentinelPassword: secret,
  },
  { requiredKeys: ['sentinels', 'name', 'db', 'tls', 'password', 'sentinelPassword'] },
);

type Address = NonNullable<ReturnType<typeof readRedisAddress>>;

const at = ({ host: text, port }: Address['sentinels'][number]): string =>
  `${text.includes(':') ? `[${text}]` : text}:${port}`;

/** The URL as an operator writes it. */
function written(of: Address): string {
  const [user, password, sentinelUser, sentinelPassword] = [
    of.username,
    of.password,
    of.sentinelUsername,
    of.sentinelPassword,
  ].map((text) => encodeURIComponent(text ?? ''));
  const parameters = [
    ...(of.sentinelUsername === undefined ? [] : [`sentinel_username=${sentinelUser}`]),
    `sentinel_password=${sentinelPassword}`,
  ];
  const hosts = of.sentinels.map(at).join(',');
  const scheme = of.tls ? 'rediss+sentinel' : 'redis+sentinel';
  return `${scheme}://${user}:${password}@${hosts}/${of.name}/${of.db}?${parameters.join('&')}`;
}

describe('URLs of Sentinels', () => {
  it('are parsed as they were written', () => {
    fc.assert(
      fc.property(address, (meant) => {
        expect(readRedisAddress(written(meant))).toEqual(meant);
      }),
    );
  });

  it('require only hosts and the name of a master', () => {
    expect(readRedisAddress('redis+sentinel://one,two:7000,[::1]/forge')).toEqual({
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 7_000 },
        { host: '::1', port: 26_379 },
      ],
      name: 'forge',
      db: 0,
      tls: false,
    });
    expect(readRedisAddress('redis+sentinel://:a@b+c@one/forge/?sentinel_password=d+e')).toMatchObject({
      password: 'a@b+c',
      sentinelPassword: 'd+e',
      db: 0,
    });
  });

  it.each([
    ['redis+sentinel://one,two', 'must name the master'],
    ['redis+sentinel://one,two/', 'must name the master'],
    ['redis+sentinel://one/for%67e', 'must name the master'],
    ['redis+sentinel://one/forge/zero', 'must end with the number of a database'],
    ['redis+sentinel://one/forge/0/1', 'must look like redis+sentinel://'],
    ['redis+sentinel://:hid/den@one/forge', 'must name Sentinels'],
    ['redis+sentinel://:hid#den@one/forge', 'must look like redis+sentinel://'],
    ['redis+sentinel:///forge', 'must look like redis+sentinel://'],
    ['redis+sentinel:one/forge', 'must look like redis+sentinel://'],
    ['redis+sentinel://one,/forge', 'must name Sentinels'],
    ['redis+sentinel://one two/forge', 'must name Sentinels'],
    ['redis+sentinel://one:0/forge', 'must name Sentinels'],
    ['redis+sentinel://one:70000/forge', 'must name Sentinels'],
    ['redis+sentinel://one:port/forge', 'must name Sentinels'],
    ['redis+sentinel://hidden@one/forge', 'must have a password after the user'],
    ['redis+sentinel://:hid%den@one/forge', 'has a user or password with a %'],
    ['redis+sentinel://one/forge?sentinel_password=hid%den', 'has a user or password with a %'],
    ['redis+sentinel://one/forge?sentinel_username=hidden', 'must have a sentinel_password'],
    ['redis+sentinel://one/forge?password=hidden', 'takes the parameters sentinel_username'],
    ['redis+sentinel://one/forge?hidden', 'takes the parameters sentinel_username'],
    ['redis+sentinel://one/forge?sentinel_password=a&sentinel_password=hidden', 'takes the parameters'],
    ['redis-sentinel://one/forge', 'must be a redis:// URL'],
    ['redis://one,two/forge', 'must be a redis:// URL'],
    ['redis://:hid%den@one', 'has a user or password with a %'],
  ])('%s is refused with a reason that quotes nothing secret', (url, reason) => {
    const problem = redisAddressProblem(url);
    expect(problem).toContain(reason);
    expect(problem).not.toMatch(/hid|den@/);
  });

  it('that are invalid are refused, and do not throw unexpectedly', () => {
    const scheme = fc.constantFrom('', 'redis://', 'rediss://', 'redis+sentinel://', 'rediss+sentinel://');
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('@', ':', '/', ',', '?', '%', '[', ']', '0', 'a', '='),
    );
    fc.assert(
      fc.property(scheme, fc.array(piece), (begin, pieces) => {
        const url = begin + pieces.join('');
        const problem = redisAddressProblem(url);
        if (problem === null) expect(() => readRedisAddress(url)).not.toThrow();
        else expect(() => readRedisAddress(url)).toThrow(problem);
      }),
    );
  });
});

it.each(['redis://127.0.0.1:6379', 'rediss://user:p%40ss@redis/3', 'redis://[::1]/?family=6'])(
  '%s points to Redis directly',
  (url) => {
    expect([redisAddressProblem(url), readRedisAddress(url)]).toEqual([null, null]);
  },
);
