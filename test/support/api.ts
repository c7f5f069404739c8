import type { INestApplication } from '@nestjs/common';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Wakes } from '#kernel/queue/outbox/wakes.js';
import { createApplication } from '../../src/application.js';
import { loadConfig } from '#kernel/config/load-config.js';
import { createFirstData } from '#core/first-start/first-data.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { createTestDatabase } from './database.js';
import { holdBackSchedules } from './held-schedules.js';
import { CHANGES_JOBS } from './wake-jobs.js';
import { ApiClient } from './client.js';
import { StatusWatch } from './status-watch.js';

/** Personal access token of `root` in every test service. */
export const ROOT_TOKEN = 'glpat-root-token-of-tests-0001';

/** The product inside the test process, on its own database and a free port. */
export interface TestApi {
  readonly app: INestApplication;
  readonly url: string;
  readonly databaseUrl: string;
  /** A client with the administrator's token. */
  readonly root: ApiClient;
  /** A client without any credential. */
  readonly anonymous: ApiClient;
  /** A client with the given token. */
  as(token: string): ApiClient;
  /** Runs SQL on the database of the service, to set up or read data that no route shows. */
  sql<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Fails for each response since the last call with a status that the API document does not have for its
   * route.
   */
  assertDocumented(): void;
  close(): Promise<void>;
}

/**
 * Starts the product for one test file; every response is checked against its record, its status against the
 * API document.
 */
export async function startApi(env: Readonly<Record<string, string>> = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  // Two services on one database are two processes of one installation.
  const databaseUrl = env['DATABASE_URL'] ?? database.url;
  const dataDir = mkdtempSync(join(process.env['TEST_FOLDER'] ?? tmpdir(), 'api-'));
  const config = loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    EXTERNAL_URL: 'http://forgeplane.test',
    // Cheap, unless a test requests the production settings.
    ...(env['NODE_ENV'] === undefined ? { PASSWORD_MEMORY_KIB: '1024' } : {}),
    INITIAL_ROOT_PASSWORD: 'correct horse battery',
    INITIAL_ROOT_TOKEN: ROOT_TOKEN,
    ...env,
  });
  const directUrl = config.DATABASE_DIRECT_URL ?? databaseUrl;
  await createFirstData(config, directUrl);
  await holdBackSchedules(directUrl);
  const app = await createApplication(config, databaseUrl);
  await app.listen(config.PORT, '127.0.0.1');
  const watch = new StatusWatch(app);
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const url = `http://127.0.0.1:${port}`;
  const reader = app.get(ReadDatabase);
  return {
    app,
    url,
    databaseUrl,
    root: new ApiClient(url, ROOT_TOKEN, watch),
    anonymous: new ApiClient(url, null, watch),
    as: (token) => new ApiClient(url, token, watch),
    sql: async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const isRead = /^\s*(select|with)/i.test(text);
      if (isRead) return reader.long<Row>(text, values);
      const { DataSource } = await import('typeorm');
      const rows = await app.get(DataSource).query<Row[]>(text, [...values]);
      if (CHANGES_JOBS.test(text)) app.get(Wakes).wake();
      return rows;
    },
    assertDocumented: () => watch.assertDocumented(),
    close: async () => {
      await app.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
      // Responses to clients other than those of this file.
      watch.assertDocumented();
    },
  };
}
