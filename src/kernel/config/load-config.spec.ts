import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, configNames, loadConfig } from './load-config.js';

/** Returns the names of the invalid variables. */
function refused(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => problem.split(' ', 1)[0] ?? '').sort();
  }
}

describe('loadConfig', () => {
  it('reports all problems at once', () => {
    const wrong = {
      PORT: 'zz',
      PROCESS: 'some',
      EXTERNAL_URL: 'forge.test',
      REPOSITORY_STORAGES: 'zz',
      OBJECT_STORE_URL: 'ftp://x',
      INITIAL_ROOT_TOKEN: 'short',
      LICENSE_PLAN: 'gold',
      SECRETS_KEY: 'short',
      ALLOW_LOCAL_REQUESTS: 'maybe',
      OUTBOUND_ALLOWLIST: 'x',
      SMTP_URL: 'x',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXIES: '10.0.0.0/8,proxy',
      METRICS_ALLOWLIST: 'nowhere/8',
      DOCS_ENABLED: 'maybe',
    };
    expect(refused(wrong)).toEqual(expect.arrayContaining(Object.keys(wrong)));
  });

  it('accepts `NAME_FILE` for all variables', () => {
    const folder = mkdtempSync(join(tmpdir(), 'forgeplane-config-'));
    const file = join(folder, 'value');
    writeFileSync(file, 'zz\n');
    const outcome = (env: Record<string, string>): string => {
      const problems = refused(env);
      return JSON.stringify(problems.length > 0 ? problems : loadConfig(env));
    };
    try {
      for (const name of configNames) {
        const byValue = outcome({ [name]: 'zz' });
        expect([name, outcome({ [`${name}_FILE`]: file })]).toEqual([name, byValue]);
        expect([name, byValue]).not.toEqual([name, outcome({})]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('refuses addresses that nothing can read, and targets that are not valid', () => {
    for (const url of ['http://forge test', 'https://forge.test:99999', 'http://[::1'])
      expect(refused({ EXTERNAL_URL: url })).toEqual(['EXTERNAL_URL']);
    for (const url of ['smtp://mail.test:99999', 'smtp://[::1'])
      expect(refused({ SMTP_URL: url })).toEqual(['SMTP_URL']);
    for (const target of ['http://backups', 's3://', 'file://backups', 'S3:/bucket'])
      expect(refused({ BACKUP_TARGET: target })).toEqual(['BACKUP_TARGET']);
    for (const target of ['/mnt/backups', 'backups', 'file:///mnt/backups', 's3://bucket/prefix?region=x'])
      expect(refused({ BACKUP_TARGET: target })).toEqual([]);
  });

  it('refuses two folders of one storage, of which it would forget one', () => {
    expect(refused({ REPOSITORY_STORAGES: 'a=/x,b=/y,a=/z' })).toEqual(['REPOSITORY_STORAGES']);
    expect(refused({ REPOSITORY_STORAGES: 'a=/x,b=/y' })).toEqual([]);
  });

  it('requires no variables for a single process, but the database and the key for separate ones', () => {
    expect(refused({})).toEqual([]);
    for (const PROCESS of ['api', 'worker'])
      expect(refused({ PROCESS })).toEqual(['DATABASE_URL', 'SECRETS_KEY']);
  });

  it('allows cheaper password hashes than the default only in tests', () => {
    const cheap = { PASSWORD_MEMORY_KIB: '1024' };
    expect(refused(cheap)).toEqual(['PASSWORD_MEMORY_KIB']);
    expect(refused({ ...cheap, NODE_ENV: 'development' })).toEqual(['PASSWORD_MEMORY_KIB']);
    expect(refused({ ...cheap, NODE_ENV: 'test' })).toEqual([]);
    expect(refused({ PASSWORD_MEMORY_KIB: '1023', NODE_ENV: 'test' })).toEqual(['PASSWORD_MEMORY_KIB']);
    expect(refused({ PASSWORD_MEMORY_KIB: '65537' })).toEqual(['PASSWORD_MEMORY_KIB']);
  });

  it('parses values from files like values from the environment', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'));
    const file = join(folder, 'value');
    writeFileSync(file, '10.0.0.0/8, ::1\n');
    expect(loadConfig({ TRUSTED_PROXIES_FILE: file }).TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
    rmSync(folder, { recursive: true });
    expect(refused({ TRUSTED_PROXIES_FILE: file })).toEqual(['TRUSTED_PROXIES_FILE']);
  });
});
