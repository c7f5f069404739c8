import { Controller, Get, Inject, Injectable } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { Schema } from './schemas.js';

/** Holds the document once the routes are known. */
@Injectable()
export class OpenApiHolder {
  document: Schema = {};
}

/** Serves the API document. */
@Controller('api/v4')
export class OpenApiController {
  constructor(@Inject(OpenApiHolder) private readonly holder: OpenApiHolder) {}

  @Get('openapi.json')
  @Access({ anyone: true })
  document(): Schema {
    return this.holder.document;
  }
}
