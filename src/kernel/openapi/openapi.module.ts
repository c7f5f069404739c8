import { Module } from '@nestjs/common';
import { OpenApiController, OpenApiHolder } from './openapi.controller.js';

/** The API document at /api/v4/openapi.json. */
@Module({ controllers: [OpenApiController], providers: [OpenApiHolder], exports: [OpenApiHolder] })
export class OpenApiModule {}
