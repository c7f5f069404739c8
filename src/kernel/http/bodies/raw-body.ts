import { SetMetadata } from '@nestjs/common';

const RAW_BODY = 'forgeplane:raw-body';

/** Marks a route that reads the stream of the request itself (uploads, intake), with any content type and its own size limit. */
export const RawBody = (): MethodDecorator => SetMetadata(RAW_BODY, true);

/** Whether a handler reads the body itself. */
export const readsRawBody = (handler: object): boolean => Reflect.getMetadata(RAW_BODY, handler) === true;
