import { applyDecorators, Header } from '@nestjs/common';

/** Headers of every answer that concerns a token (RFC 6749 5.1). */
export const UNSTORED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** Gives the answers of a route these headers. */
export const Unstored = (): MethodDecorator =>
  applyDecorators(...Object.entries(UNSTORED).map(([name, value]) => Header(name, value)));
