import { SetMetadata } from '@nestjs/common';
import { ANSWER, type Answer } from '#kernel/http/answers/returns.js';

const PAGE: Answer = { record: null, status: 200, list: false, page: true };

/** The route answers a PageAnswer: no record to hold it to, and no part of the API's description. */
export const ReturnsPage = (): MethodDecorator => SetMetadata(ANSWER, PAGE);
