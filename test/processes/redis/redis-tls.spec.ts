import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasOpenssl, TestCertificate } from '../../support/certificate.js';
import { runCli } from '../../support/cli.js';
import { Installation } from '../../support/installation.js';
import { RedisSentinels } from '../../support/redis-sentinels.js';
import { hasRedisServer } from '../../support/redis-server.js';
import { until } from '../../support/until.js';

(hasRedisServer && hasOpenssl ? describe : describe.skip)('Redis over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-redis-tls-'));
  let certificate: TestCertificate;
  let redis: RedisSentinels;
  let installation: Installation;
  beforeAll(async () => {
    certificate = new TestCertificate();
    redis = await RedisSentinels.create(certificate);
    installation = await Installation.create({ redisUrl: redis.directUrl });
    await redis.startSentinels();
  });
  afterAll(async () => {
    await installation.close();
    await redis.close();
    certificate.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('carries jobs if its certificate is trusted', async () => {
    const { client } = await installation.start('all', { NODE_EXTRA_CA_CERTS: certificate.certificate });
    const made = await client.post<{ id: number }>('/projects', { name: 'gone' });
    expect((await client.delete(`/projects/${made.body.id}`)).status).toBe(202);
    await until(async () => (await installation.jobs()) === 0);
    const queued = await redis.within(redis.servers[0], (one) => one.get('forgeplane:default:id'));
    expect(Number(queued)).toBeGreaterThan(0);
  });

  it.each([
    ['directly', 'directUrl', /^self-signed certificate/],
    ['through Sentinels', 'url', /^failed to connect to sentinel/],
  ] as const)('is refused with an untrusted certificate: doctor connects %s', async (_, address, refusal) => {
    const env = {
      ...{ DATABASE_URL: installation.databaseUrl, REDIS_URL: redis[address] },
      ...{ DATA_DIR: folder, NODE_EXTRA_CA_CERTS: certificate.certificate },
    };
    const problem = async (variables: Record<string, string>): Promise<unknown> => {
      const { checks } = (await runCli(['doctor', '--json'], variables)).json() as {
        checks: { check: string; problem: string | null }[];
      };
      return checks.find(({ check }) => check.startsWith('Redis '))?.problem;
    };
    expect(await problem(env)).toBeNull();
    expect(await problem({ ...env, NODE_EXTRA_CA_CERTS: '' })).toMatch(refusal);
  });
});
