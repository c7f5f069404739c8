import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response, Router } from 'express';
import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import { docsPage } from './docs-page.js';
import { openApiDocument, type DocumentInfo } from './document.js';
import type { DocumentWords } from './document-texts.js';
import { OpenApiHolder } from './openapi.controller.js';

/** The page runs its own scripts and connects to this server only. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Generates the document of an application with these routes. */
export function installOpenApi(
  app: INestApplication,
  routes: readonly RouteDescription[],
  info: DocumentInfo,
  words: DocumentWords,
): void {
  app.get(OpenApiHolder).learn(() => openApiDocument(routes, info, words));
}

const PAGE = '/-/docs';

/**
 * Serves the interactive page at /-/docs; call it before the application is initialized. Its files are
 * generated on the first request.
 */
export function installDocsPage(app: INestApplication): void {
  let making: Promise<Router> | undefined;
  const page = (): Promise<Router> => (making ??= docsPage(PAGE));
  const serve = async (request: Request, response: Response, next?: unknown): Promise<void> => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    (await page())(request, response, next as NextFunction);
  };
  for (const path of [PAGE, `${PAGE}/*part`]) app.getHttpAdapter().get(path, serve);
}
