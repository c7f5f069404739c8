import { applyDecorators, Header } from '@nestjs/common';

/** Headers of all responses about tokens (RFC 6749 5.1). */
export const UNSTORED = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** Adds these headers to the responses of a route. */
export const Unstored = (): MethodDecorator =>
  applyDecorators(...Object.entries(UNSTORED).map(([name, value]) => Header(name, value)));
