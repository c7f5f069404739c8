import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Global, Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { Express } from 'express';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { Config } from '#kernel/config/config.js';
import { loadConfig } from '#kernel/config/load-config.js';
import { HealthChecks } from '#kernel/health/health-checks.js';
import { HealthModule } from '#kernel/health/health.module.js';
import { ShutdownState } from '#kernel/health/shutdown-state.js';
import { ApiAdapter } from '#kernel/http/adapter.js';
import { ExceptionToJson } from '#kernel/http/exception.filter.js';
import { startProcessMetrics } from '#kernel/log/metrics.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { QueuePool } from '#kernel/queue/outbox/queue-pool.js';
import { RateLimitModule } from '#kernel/rate-limit/rate-limit.module.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';

let databaseAnswers = true;
let storageAnswers = true;
let applied = ['First1', 'Second2', 'OfANewerVersion3'];

const dataSource = {
  options: { migrationsTableName: 'schema_migrations' },
  migrations: [{ name: 'First1' }, { name: 'Second2' }],
  query: (sql: string): Promise<unknown> => {
    if (!databaseAnswers) return Promise.reject(new Error('connect postgres://app:hunter2@db/x failed'));
    if (sql.includes('releases')) return Promise.resolve([]);
    return Promise.resolve(
      sql.includes('schema_migrations') ? applied.map((name) => ({ name })) : [{ ok: 1 }],
    );
  },
};
const pool = { query: (_name: undefined, text: string): Promise<unknown> => dataSource.query(text) };
const storage = {
  checkWritable: (): Promise<void> =>
    storageAnswers ? Promise.resolve() : Promise.reject(new Error('disk full')),
};

const config = loadConfig({
  METRICS_ALLOWLIST: '127.0.0.0/8,::1/128,203.0.113.0/24',
  TRUSTED_PROXIES: '127.0.0.1',
});

@Global()
@Module({
  providers: [
    { provide: Config, useValue: config },
    { provide: DataSource, useValue: dataSource },
    { provide: ObjectStorage, useValue: storage },
    { provide: QueuePool, useValue: pool },
  ],
  exports: [Config, DataSource, ObjectStorage, QueuePool],
})
class Surroundings {}

@Module({ imports: [Surroundings, HealthModule, RateLimitModule] })
class TestModule {}

describe('health routes', () => {
  let app: INestApplication;
  let http: Express;

  beforeAll(async () => {
    startProcessMetrics();
    const module = await Test.createTestingModule({ imports: [TestModule] }).compile();
    app = module.createNestApplication(new ApiAdapter());
    app.useGlobalFilters(new ExceptionToJson());
    await app.init();
    http = app.getHttpServer() as Express;
  });

  afterAll(async () => {
    await app.close();
  });

  const get = (path: string, forwarded?: string): request.Test =>
    forwarded === undefined
      ? request(http).get(path)
      : request(http).get(path).set('X-Forwarded-For', forwarded);
  /** Results are cached for a second. */
  const afterCache = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1050));

  it('report health and liveness to everyone', async () => {
    for (const path of ['/-/health', '/-/liveness']) {
      const answer = await get(path, '198.51.100.1').expect(200, { status: 'ok' });
      expect(answer.headers['content-type']).toBe('application/json');
    }
  });

  it('report readiness and metrics to allowed addresses only', async () => {
    for (const path of ['/-/readiness', '/-/readiness?all=1', '/-/metrics']) {
      await get(path).expect(200);
      await get(path, '203.0.113.9').expect(200);
      await get(path, '198.51.100.1').expect(404, { error: '404 Not Found' });
      // The client in front of the proxy can claim any address.
      await get(path, '127.0.0.1, 198.51.100.1').expect(404);
    }
  });

  it('report each dependency', async () => {
    await get('/-/readiness').expect(200, { status: 'ok' });
    const { body } = (await get('/-/readiness?all=1')) as {
      body: { checks: Record<string, { status: string }> };
    };
    expect(Object.keys(body.checks).sort()).toEqual(['database', 'migrations', 'object_storage']);
    expect(body.checks['database']?.status).toBe('up');
  });

  it('return 503 if a dependency is down, without revealing secrets', async () => {
    databaseAnswers = false;
    await afterCache();
    const plain = await get('/-/readiness').expect(503);
    expect(plain.body).toEqual({ message: '503 Service Unavailable', status: 'error' });
    expect(plain.headers['retry-after']).toBe('5');
    const detailed = await get('/-/readiness?all=1').expect(503);
    expect(detailed.text).not.toContain('hunter2');
    expect((detailed.body as { checks: object }).checks).toMatchObject({
      database: { status: 'down' },
      object_storage: { status: 'up' },
    });
    databaseAnswers = true;
    await afterCache();
    await get('/-/readiness').expect(200);
  });

  it('stay ready without a dependency that only some requests need', async () => {
    const lost = (): Promise<never> => Promise.reject(new Error('no route'));
    app.get(HealthChecks).register('shared', lost, 'some', 1);
    await get('/-/readiness').expect(200, { status: 'ok' });
    const detailed = await get('/-/readiness?all=1').expect(503);
    expect((detailed.body as { checks: object }).checks).toMatchObject({
      database: { status: 'up' },
      shared: { status: 'down', message: 'no route' },
    });
    expect((await get('/-/metrics')).text).toContain('dependency_up{dependency="shared"} 0');
    app.get(HealthChecks).register('shared', () => Promise.resolve(), 'some');
    await new Promise((resolve) => setTimeout(resolve, 10));
    await get('/-/readiness?all=1').expect(200);
  });

  it('stay ready as long as one of several alternatives works', async () => {
    const checks = app.get(HealthChecks);
    const lost = (): Promise<never> => Promise.reject(new Error('it is away'));
    checks.register('one', lost, 'one', 1);
    checks.register('other', () => Promise.resolve(), 'one', 1);
    await get('/-/readiness').expect(200);
    await get('/-/readiness?all=1').expect(503);
    checks.register('other', lost, 'one', 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await get('/-/readiness').expect(503);
    for (const name of ['one', 'other']) checks.register(name, () => Promise.resolve(), 'one', 1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await get('/-/readiness?all=1').expect(200);
  });

  it('include registered checks, also those that hang', async () => {
    const checks = app.get(HealthChecks);
    checks.register('queue', () => Promise.resolve({ lag_seconds: 3 }), 'some');
    const up = (await get('/-/readiness?all=1').expect(200)).body as { checks: object };
    expect(up.checks).toMatchObject({ queue: { status: 'up', lag_seconds: 3 } });
    checks.register('slow', () => new Promise(() => undefined), 'some');
    await get('/-/readiness').expect(200);
    const down = (await get('/-/readiness?all=1').expect(503)).body as { checks: object };
    expect(down.checks).toMatchObject({ slow: { status: 'down' } });
    checks.register('slow', () => Promise.resolve(), 'some');
  });

  it('include optional dependencies, and do not depend on them', async () => {
    await afterCache();
    app.get(HealthChecks).register('spare', () => Promise.reject(new Error('it is away')), 'none');
    const { checks } = (await get('/-/readiness?all=1').expect(200)).body as { checks: object };
    expect(checks).toMatchObject({ spare: { status: 'down', message: 'it is away' } });
    expect((await get('/-/metrics')).text).toContain('dependency_up{dependency="spare"} 0');
  });

  it('return metrics as Prometheus text', async () => {
    const answer = await get('/-/metrics').expect(200);
    expect(answer.headers['content-type']).toContain('text/plain; version=0.0.4');
    for (const name of [
      'process_cpu',
      'nodejs_eventloop_lag',
      'http_requests_total',
      'event_loop_blocked_total',
    ])
      expect(answer.text).toContain(name);
  });

  it('provide the rate limiter', async () => {
    expect((await app.get(RateLimiter).hit('t', 'k', 1, 60)).allowed).toBe(true);
  });

  it('stop being ready at once when the process stops, but stay alive', async () => {
    const state = app.get(ShutdownState);
    expect(state.isStopping).toBe(false);
    state.begin();
    expect(state.signal.aborted).toBe(true);
    await get('/-/readiness').expect(503);
    await get('/-/liveness').expect(200);
    await get('/-/health').expect(200);
  });
});

describe('pending migrations', () => {
  it('are reported, and results are cached for a short time', async () => {
    applied = ['First1'];
    const app = await Test.createTestingModule({ imports: [TestModule] }).compile();
    await app.init();
    const { isComplete, checks } = await app.get(HealthChecks).run();
    expect(isComplete).toBe(false);
    expect(await app.get(HealthChecks).isReady()).toBe(false);
    expect(checks['migrations']).toMatchObject({ status: 'down', message: '1 pending, first Second2' });
    storageAnswers = false;
    expect((await app.get(HealthChecks).run()).checks['object_storage']?.status).toBe('up');
    await app.close();
  });
});
