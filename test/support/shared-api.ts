import passport from 'passport';
import pg from 'pg';
import { BearerStrategy } from '../../src/guards/credentials/bearer.strategy.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { Config } from '#kernel/config/config.js';
import { configurePasswords } from '#kernel/crypto/passwords.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { configureLogging } from '#kernel/log/logger.js';
import { MemoryWindows } from '#kernel/rate-limit/memory-windows.js';
import { RateLimitModule } from '#kernel/rate-limit/rate-limit.module.js';
import { startApi, type TestApi } from './api.js';
import { holdBackSchedules } from './held-schedules.js';
import { dropWaitingJobs, keepFirstRows, restoreFirstRows } from './first-rows.js';
import { until } from './until.js';

/** A product that the test files of one process use in turn. */
interface Shared {
  readonly key: string;
  readonly api: TestApi;
  readonly client: pg.Client;
}

/** Time for jobs of the previous file to end; after that its product is no longer used. */
const JOBS_WITHIN_MS = 5_000;

/** Maximum number of unused products with other settings: each has 50 MB and fifteen connections. */
const KEPT = 2;

/** The message of jest for the end of a worker. */
const END = 2;

/** Longest unused first. */
let idle: Shared[] = [];
let isWatching = false;

/**
 * The product as started by `startApi()`, for a test file that uses only its public interface: kept for later
 * files of this process with the same settings, with the rows of a new installation for each of them. Ids
 * continue. A file that replaces or listens to parts of the product, fills rate-limit windows or checks plans
 * starts its own.
 */
export async function borrowApi(env: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  // jest's loader gives each file its own modules, so nothing could be kept here.
  if (!Reflect.has(globalThis, Symbol.for('forgeplane.shared-modules'))) return startApi(env);
  endWithProcess();
  const key = JSON.stringify(Object.entries(env).sort());
  const found = idle.find((shared) => shared.key === key);
  idle = idle.filter((shared) => shared !== found);
  const shared = (found && (await renewed(found))) ?? (await start(key, env));
  return { ...shared.api, close: () => giveBack(shared) };
}

async function start(key: string, env: Readonly<Record<string, string>>): Promise<Shared> {
  const api = await startApi(env);
  const client = new pg.Client({ connectionString: utcUrl(api.databaseUrl) });
  client.on('error', () => undefined);
  await client.connect();
  await keepFirstRows(client);
  return { key, api, client };
}

async function giveBack(shared: Shared): Promise<void> {
  idle.push(shared);
  const tooMany = idle.splice(0, Math.max(0, idle.length - KEPT));
  await Promise.all(tooMany.map(end));
  shared.api.assertDocumented();
}

/** The product with the rows of a new installation; undefined, and stopped, if work of the former file does not end. */
async function renewed(shared: Shared): Promise<Shared | undefined> {
  try {
    await until(async () => (await dropWaitingJobs(shared.client)) === 0, JOBS_WITHIN_MS);
    await restoreFirstRows(shared.client);
    await holdBackSchedules(shared.api.databaseUrl);
    await shared.api.app.get(SettingsService).reload();
    openWindows(shared.api);
    beTheOne(shared.api);
    return shared;
  } catch (error) {
    process.stderr.write(`A shared product is not used any more: ${String(error)}\n`);
    await end(shared);
    return undefined;
  }
}

/** Rate limits start anew: all files use one address and one administrator. */
function openWindows({ app }: TestApi): void {
  const windows: unknown = Reflect.get(app.get(RateLimitModule), 'windows');
  if (!(windows instanceof MemoryWindows)) throw new Error('Throttles are not counted in memory');
  (Reflect.get(windows, 'entries') as Map<string, unknown>).clear();
}

/**
 * Process-wide state, such as the log, the cost of passwords and the token resolver, is that of the product
 * that started last.
 */
function beTheOne({ app }: TestApi): void {
  configureLogging(app.get(Config).LOG_LEVEL);
  configurePasswords(app.get(Config).PASSWORD_MEMORY_KIB);
  passport.use(app.get(BearerStrategy, { strict: false }));
}

async function end({ api, client }: Shared): Promise<void> {
  await client.end();
  await api.close();
}

/**
 * Stops an unused product with this process: at the end of a worker, or in global-teardown.mjs if jest has
 * none.
 */
function endWithProcess(): void {
  if (isWatching) return;
  isWatching = true;
  const endIdle = async (): Promise<void> => {
    await Promise.all(idle.splice(0).map(end));
  };
  Object.assign(globalThis, { endSharedApis: endIdle });
  if (!process.send) return;
  const onMessage = (message: unknown): void => {
    if (!Array.isArray(message) || message[0] !== END) return;
    process.off('message', onMessage);
    void endIdle();
  };
  process.on('message', onMessage);
}
