import { NestFactory } from '@nestjs/core';
import { listRoutes } from '#kernel/http/routes/route-list.js';
import { openApiDocument } from '#kernel/openapi/document.js';
import { textOfDocument } from '#kernel/openapi/document-text.js';
import { PRODUCT_VERSION } from '#core/instance/version.js';
import { API_WORDS } from '../api-words/api-words.js';
import { ApiModule } from '../api.module.js';
import { commandConfig } from './framework/context.js';
import type { CommandResult } from './framework/output.js';

/** Generates the OpenAPI document from the routes of an API process, without starting one. */
export async function openapi(): Promise<CommandResult> {
  const config = commandConfig();
  const app = await NestFactory.createApplicationContext(ApiModule.forRoot(config, ''), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const document = openApiDocument(
    listRoutes(app),
    { version: PRODUCT_VERSION, server: config.externalUrl },
    API_WORDS,
  );
  return { json: document, lines: [textOfDocument(document)] };
}
