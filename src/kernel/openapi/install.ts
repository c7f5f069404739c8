import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { Application } from 'express';
import { listRoutes } from '#kernel/http/route-list.js';
import { openApiDocument, type DocumentInfo } from './document.js';
import { OpenApiHolder } from './openapi.controller.js';

/** The page runs its own scripts and asks this server only. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Makes the document of an application that has its routes. */
export function installOpenApi(app: INestApplication, info: DocumentInfo): void {
  const routes = listRoutes(app);
  app.get(OpenApiHolder).learn(() => openApiDocument(routes, info));
}

/** Serves the interactive page at /-/docs; call it before the application is initialised. */
export function installDocsPage(app: INestApplication): void {
  const express = app.getHttpAdapter().getInstance() as Application;
  express.use('/-/docs', (_request, response, next) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    next();
  });
  SwaggerModule.setup('-/docs', app, () => app.get(OpenApiHolder).document as unknown as OpenAPIObject, {
    raw: false,
    customSiteTitle: 'Forgeplane API',
    swaggerOptions: { docExpansion: 'none', validatorUrl: null, queryConfigEnabled: false },
  });
}
