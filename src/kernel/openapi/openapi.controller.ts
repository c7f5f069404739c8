import { Controller, Get, Inject, Injectable } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { Schema } from './schemas.js';

/**
 * Makes the document when somebody asks for it, once the routes are known. It takes some ten megabytes, so it is kept only until the memory
 * is needed.
 */
@Injectable()
export class OpenApiHolder {
  private make: () => Schema = () => ({});
  private made: WeakRef<Schema> | undefined;

  get document(): Schema {
    const kept = this.made?.deref();
    if (kept) return kept;
    const document = this.make();
    this.made = new WeakRef(document);
    return document;
  }

  /** From here on the document is what `make` says. */
  learn(make: () => Schema): void {
    this.make = make;
  }
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
