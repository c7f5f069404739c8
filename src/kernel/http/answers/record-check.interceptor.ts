import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import { checkRecord } from './record-check.js';
import { responseOf } from '../request.js';
import { answerOf } from './returns.js';

/** Under test: every answer must be exactly what its route declares, or the request fails. Not installed otherwise. */
@Injectable()
export class RecordCheck implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const handler = context.getHandler();
    const answer = answerOf(handler);
    return next.handle().pipe(
      map((body: unknown) => {
        // If there is no result, a route responds with 204 and no body.
        const isNothing = body === undefined && responseOf(context).statusCode === 204;
        if (!answer?.record || isNothing) return body;
        const sent = JSON.parse(JSON.stringify(body ?? null)) as unknown;
        if (!answer.orOne && answer.list !== Array.isArray(sent))
          throw new Error(`${handler.name} returns ${answer.list ? 'no' : 'an'} array`);
        const { other } = answer;
        const isOther = other?.status === responseOf(context).statusCode;
        const record = other?.record && isOther ? other.record : answer.record;
        for (const one of Array.isArray(sent) ? (sent as unknown[]) : [sent]) {
          const problem = checkRecord(record, one, '');
          if (problem !== null) throw new Error(`${handler.name} does not return its record: ${problem}`);
        }
        return body;
      }),
    );
  }
}
