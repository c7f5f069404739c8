import { SetMetadata } from '@nestjs/common';

const RAW_BODY = 'forgeplane:raw-body';

/** The route reads the stream of the request itself (uploads, intake): any content type, no size limit but its own. */
export const RawBody = (): MethodDecorator => SetMetadata(RAW_BODY, true);

/** Whether a handler reads the body itself. */
export const readsRawBody = (handler: object): boolean => Reflect.getMetadata(RAW_BODY, handler) === true;
