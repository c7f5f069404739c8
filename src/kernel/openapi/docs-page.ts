import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { Router } from 'express';
import type { Schema } from './schemas.js';

@Module({})
class Nothing {}

/** The interactive page at a path, and its scripts and styles; what it does not know, it leaves to the next handler. */
export async function docsPage(path: string, document: () => Schema): Promise<Router> {
  const router = Router();
  // Swagger wants an application to put its routes into: this one has no others.
  const app = await NestFactory.create<NestExpressApplication>(Nothing, new ExpressAdapter(router), {
    abortOnError: false,
  });
  SwaggerModule.setup(path, app, () => document() as unknown as OpenAPIObject, {
    raw: false,
    customSiteTitle: 'Forgeplane API',
    swaggerOptions: { docExpansion: 'none', validatorUrl: null, queryConfigEnabled: false },
  });
  return router;
}
