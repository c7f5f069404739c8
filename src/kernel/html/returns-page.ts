import { SetMetadata } from '@nestjs/common';
import { ANSWER, type Answer } from '#kernel/http/answers/returns.js';

const PAGE: Answer = { record: null, status: 200, list: false, page: true };

/** The route returns a PageAnswer: it is checked against no record and not part of the API document. */
export const ReturnsPage = (): MethodDecorator => SetMetadata(ANSWER, PAGE);
