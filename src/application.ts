import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Application } from 'express';
import { ApiModule } from './api.module.js';
import type { Config } from '#kernel/config/config.js';
import { PROBE_PATHS } from '#kernel/health/health.controller.js';
import { configurePasswords } from '#kernel/crypto/passwords.js';
import { ShutdownState } from '#kernel/health/shutdown-state.js';
import { ApiAdapter } from '#kernel/http/adapter.js';
import { Networks } from '#kernel/http/client-address.js';
import { installPipeline } from '#kernel/http/pipeline.js';
import { installErrorPage } from '#kernel/html/error-page.js';
import { installMountedPath } from '#kernel/html/mounted-path.js';
import { installErrorWords } from '#kernel/http/error-translation.js';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { configureLogging, NestLogger } from '#kernel/log/logger.js';
import { requestLog } from '#kernel/log/request-log.js';
import { installDocsPage, installOpenApi } from '#kernel/openapi/install.js';
import { PRODUCT_VERSION } from '#core/instance/version.js';
import { asOauthError } from '#features/oauth/oauth-error-mapping.js';
import { errorPage } from '#web/error-page.view.js';
import { WorkerModule } from './worker.module.js';
import { API_WORDS } from './api-words/api-words.js';

/**
 * Creates the application of this process, ready to listen. `databaseUrl` must point to a database with an
 * up-to-date schema and its initial data.
 */
export async function createApplication(config: Config, databaseUrl: string): Promise<INestApplication> {
  configureLogging(config.LOG_LEVEL);
  configurePasswords(config.PASSWORD_MEMORY_KIB);
  const root = config.servesApi ? ApiModule : WorkerModule;
  const adapter = new ApiAdapter();
  const app = await NestFactory.create(root.forRoot(config, databaseUrl), adapter, {
    logger: new NestLogger(),
    bodyParser: false,
    abortOnError: false,
  });
  const express = adapter.getInstance<Application>();
  const shutdown = app.get(ShutdownState);
  if (config.servesApi) installErrorPage(express, errorPage);
  installMountedPath(express, config.externalUrl);
  installErrorWords(express, asOauthError);
  installPipeline(express, {
    requestLog: requestLog({
      trusted: new Networks(config.TRUSTED_PROXIES),
      slowMs: config.SLOW_REQUEST_SECONDS * 1_000,
      hasTiming: config.SERVER_TIMING,
    }),
    ownOrigin: new URL(config.externalUrl).origin,
    maxConcurrentRequests: config.MAX_CONCURRENT_REQUESTS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    isStopping: () => shutdown.isStopping,
    // Worker modules include routes, but none of the guards.
    onlyPaths: config.servesApi ? undefined : PROBE_PATHS,
  });
  if (config.servesApi && config.DOCS_ENABLED) installDocsPage(app);
  await app.init();
  const known = listRoutes(app);
  adapter.routes.describe(known);
  const info = { version: PRODUCT_VERSION, server: config.externalUrl };
  if (config.servesApi) installOpenApi(app, known, info, API_WORDS);
  return app;
}
