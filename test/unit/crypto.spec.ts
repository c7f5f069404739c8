import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#kernel/config/load-config.js';
import { Gate, GateFull } from '#kernel/crypto/gate.js';
import { HashTurns } from '#kernel/crypto/hash-turns.js';
import {
  configurePasswords,
  hashPassword,
  isPasswordOutdated,
  verifyDummy,
  verifyPassword,
} from '#kernel/crypto/passwords.js';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import { loadSecretsKey } from '#kernel/crypto/secrets-key.js';
import { digestToken, randomToken, safeEqual } from '#kernel/crypto/tokens.js';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';

const OLD_KEY = 'o'.repeat(40);
const NEW_KEY = 'n'.repeat(40);
const box = (key: string): SecretBox => new SecretBox(loadConfig({ SECRETS_KEY: key }));

describe('tokens', () => {
  it('are URL-safe, of the requested length and use every character equally', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 2000; round += 1) {
      const token = randomToken('glpat-', 32);
      expect(token).toMatch(/^glpat-[\w-]{32}$/);
      for (const char of token.slice(6)) counts.set(char, (counts.get(char) ?? 0) + 1);
    }
    expect(counts.size).toBe(64);
    expect(Math.max(...counts.values())).toBeLessThan(1300);
    expect(Math.min(...counts.values())).toBeGreaterThan(700);
  });

  it('are stored as SHA-256', () => {
    expect(digestToken('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('are compared regardless of their length', () => {
    expect(safeEqual('a', 'a')).toBe(true);
    expect(safeEqual('a', 'aa')).toBe(false);
    expect(safeEqual('', Buffer.from('a'))).toBe(false);
  });
});

describe('passwords', () => {
  // Other specs of this process made them cheap.
  beforeEach(() => configurePasswords(loadConfig({}).PASSWORD_MEMORY_KIB));

  it('are hashed again if the configured cost has changed', async () => {
    const digest = await hashPassword('correct horse');
    configurePasswords(32_768);
    expect(isPasswordOutdated(digest)).toBe(true);
    expect(await hashPassword('correct horse')).toContain('m=32768,');
  });

  it('are verified against their hash', async () => {
    const digest = await hashPassword('correct horse');
    expect(digest).toContain('$argon2id$v=19$m=19456');
    expect(isPasswordOutdated(digest)).toBe(false);
    expect(await verifyPassword(digest, 'correct horse')).toBe(true);
    expect(await verifyPassword(digest, 'Correct horse')).toBe(false);
    expect(await verifyPassword('', 'x')).toBe(false);
    expect(await verifyPassword(digest, 'x'.repeat(5000))).toBe(false);
    expect(await verifyDummy()).toBe(false);
  });

  it('do not block the event loop', async () => {
    configurePasswords(65_536);
    const digest = await hashPassword('x');
    let turns = 0;
    let done = false;
    const turn = (): void => {
      turns += 1;
      if (!done) setTimeout(turn, 1);
    };
    setTimeout(turn, 1);
    // A single one: between several the event loop is free in any case.
    await verifyPassword(digest, 'y');
    done = true;
    expect(turns).toBeGreaterThan(10);
  });
});

describe('Gate', () => {
  it('runs a limited number at a time in order, and refuses if too many wait', async () => {
    const gate = new Gate(2, 3);
    let running = 0;
    let peak = 0;
    const order: number[] = [];
    const work = async (index: number): Promise<void> => {
      peak = Math.max(peak, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      order.push(index);
      running -= 1;
      if (index === 0) throw new Error('fails');
    };
    const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map((index) => gate.run(() => work(index))));
    expect(peak).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(results[0]?.status).toBe('rejected');
    expect((results[5] as PromiseRejectedResult).reason).toBeInstanceOf(GateFull);
    await gate.run(() => work(6));
  });
});

describe('HashTurns', () => {
  it('pause before the next hash, but do not delay a single one', async () => {
    const gate = new HashTurns({ width: 1, waiting: 10 }, 3);
    const begins: number[] = [];
    const work = async (): Promise<void> => {
      begins.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await Promise.all([gate.run(work), gate.run(work)]);
    const [first = 0, second = 0] = begins;
    // The duration of the task and three times as much; timers may be a millisecond early.
    expect(second - first).toBeGreaterThan(75);
    const alone = gate.run(work);
    await new Promise(setImmediate);
    expect(begins).toHaveLength(3);
    await alone;
  });

  it('serve a caller with many behind those with few, and refuse those beyond half of the room', async () => {
    const turns = new HashTurns({ width: 1, waiting: 40 }, 0);
    const ended: string[] = [];
    const hash = async (remoteIp: string): Promise<void> =>
      requestContext.run({ remoteIp } as RequestContext, () =>
        turns.run(async () => {
          await new Promise(setImmediate);
          ended.push(remoteIp);
        }),
      );
    const many = Promise.allSettled(Array.from({ length: 40 }, () => hash('192.0.2.1')));
    await hash('192.0.2.2');
    expect(ended.indexOf('192.0.2.2')).toBeLessThan(3);
    expect((await many).filter(({ status }) => status === 'fulfilled')).toHaveLength(21);
  });
});

describe('SecretBox', () => {
  it('opens what it sealed, for the same purpose only', () => {
    const sealed = box(NEW_KEY).seal('s3cr\u00e9t', 'integration:1');
    expect(sealed).not.toContain('s3cr');
    expect(box(NEW_KEY).open(sealed, 'integration:1')).toBe('s3cr\u00e9t');
    expect(() => box(NEW_KEY).open(sealed, 'integration:2')).toThrow(SecretUnreadable);
    expect(box(NEW_KEY).seal('s3cr\u00e9t', 'integration:1')).not.toBe(sealed);
  });

  it('detects any changed bit', () => {
    const sealed = Buffer.from(box(NEW_KEY).seal('secret', 'p'), 'base64url');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => box(NEW_KEY).open(changed.toString('base64url'), 'p')).toThrow(SecretUnreadable);
    }
    expect(() => box(NEW_KEY).open('', 'p')).toThrow(SecretUnreadable);
  });

  it('supports rotation of keys', () => {
    const old = box(OLD_KEY).seal('secret', 'p');
    const rotated = box(`${NEW_KEY},${OLD_KEY}`);
    expect(rotated.open(old, 'p')).toBe('secret');
    expect(rotated.isOutdated(old)).toBe(true);
    expect(rotated.isOutdated(rotated.seal('secret', 'p'))).toBe(false);
    expect(() => box(NEW_KEY).open(old, 'p')).toThrow('not configured');
  });

  it('derives one secret per purpose, which does not change when a newer key is added', () => {
    const secret = box(OLD_KEY).derive('p');
    expect(secret).toHaveLength(32);
    expect(box(`${NEW_KEY},${OLD_KEY}`).derive('p')).toEqual(secret);
    expect(box(OLD_KEY).derive('q')).not.toEqual(secret);
    expect(box(NEW_KEY).derive('p')).not.toEqual(secret);
  });
});

describe('loadSecretsKey', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'forgeplane-key-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('creates a key once, and keeps it', () => {
    const config = loadConfig({ DATA_DIR: join(folder, 'new') });
    const key = loadSecretsKey(config);
    expect(key.length).toBeGreaterThanOrEqual(43);
    expect(loadSecretsKey(config)).toBe(key);
    expect(readdirSync(join(folder, 'new'))).toEqual(['secrets.key']);
    expect(statSync(join(folder, 'new', 'secrets.key')).mode & 0o777).toBe(0o600);
  });

  it('refuses a damaged file instead of replacing it', () => {
    writeFileSync(join(folder, 'secrets.key'), '');
    expect(() => loadSecretsKey(loadConfig({ DATA_DIR: folder }))).toThrow('backup');
  });
});
