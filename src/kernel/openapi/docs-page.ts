import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { Router } from 'express';
import { ConstantAnswer } from '#kernel/http/answers/json/constant-answer.js';

@Module({})
class Nothing {}

/** Begins the page. It fetches the document itself: what Swagger makes holds all of it, and makes it anew for each request. */
const BEGIN = `window.onload = () => {
  const root = location.pathname.replace(/\\/-\\/docs(\\/.*)?$/, '');
  window.ui = SwaggerUIBundle({
    url: root + '/api/v4/openapi.json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    layout: 'StandaloneLayout',
    docExpansion: 'none',
    validatorUrl: null,
    queryConfigEnabled: false,
  });
};
`;

/** The interactive page at a path, and its scripts and styles; what it does not know, it leaves to the next handler. */
export async function docsPage(path: string): Promise<Router> {
  const router = Router();
  const begin = await ConstantAnswer.of('text/javascript; charset=utf-8', BEGIN);
  router.get(`${path}/swagger-ui-init.js`, (request, response) => begin.write(request, response));
  // Swagger wants an application to put its routes into: this one has no others.
  const app = await NestFactory.create<NestExpressApplication>(Nothing, new ExpressAdapter(router), {
    abortOnError: false,
  });
  const nothing = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
  SwaggerModule.setup(path, app, nothing, { raw: false, customSiteTitle: 'Forgeplane API' });
  return router;
}
