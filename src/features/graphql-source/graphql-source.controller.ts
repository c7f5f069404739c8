import { Controller, Post } from '@nestjs/common';
import type { GraphQLError } from 'graphql';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, type Caller } from '#kernel/access/caller.js';
import { readJson } from '#kernel/http/bodies/json/parse-body.js';
import { HttpError, insufficientScope, invalid } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { isPlainObject, type PlainObject } from '#kernel/http/plain-object.js';
import { library } from '#kernel/libraries/library.js';
import { RunQueryParams } from './graphql.params.js';
import { QueryResultRecord } from './graphql.record.js';
import { readQuery } from './query-limits.js';
import { SourceResolversService } from './source-resolvers.service.js';
import { sourceSchema } from './source-schema.js';

const graphql = library('graphql');

/** The GraphQL queries of v4 servers to a source before they fetch its relations: four queries, read-only. */
@Controller('api/graphql')
export class GraphqlSourceController {
  constructor(private readonly resolvers: SourceResolversService) {}

  @Post()
  @Access({ user: true, anyScope: true })
  @Returns(QueryResultRecord)
  async query(@CurrentCaller() caller: Caller, @Params() params: RunQueryParams): Promise<QueryResultRecord> {
    assertMayRead(caller);
    const variableValues = variablesOf(params.variables);
    try {
      const document = readQuery(params.query);
      const rootValue = this.resolvers.root(caller);
      const { data, errors } = await graphql().execute({
        schema: sourceSchema(),
        document,
        rootValue,
        variableValues,
      });
      const [fault] = (errors ?? []).filter(isOurs);
      if (fault) throw fault.originalError ?? fault;
      return { data: data ?? null, ...(errors ? { errors: errors.map(tell) } : {}) };
    } catch (error) {
      if (error instanceof graphql().GraphQLError) return { errors: [tell(error)] };
      throw error;
    }
  }
}

/** A query by POST only reads: the scope for reading suffices. @throws 403 */
function assertMayRead({ credential }: Caller): void {
  if (!credential || credential.kind === 'session') return;
  if (!credential.scopes.some((scope) => scope === 'api' || scope === 'read_api'))
    throw insufficientScope(['api', 'read_api']);
}

/** Returns the variables. @throws 400 if they are not an object, 422 if their text has too many values */
function variablesOf(given: unknown): PlainObject {
  if (given === undefined || given === null || given === '') return {};
  const value = typeof given === 'string' ? parsed(given) : given;
  if (!isPlainObject(value)) throw invalid({ variables: ['is invalid'] });
  return value;
}

/** Within a body such a text is only one value, so that its own values must be counted. */
function parsed(text: string): unknown {
  try {
    return readJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof HttpError && error.status === 422) throw error;
    return null;
  }
}

/** Returns whether the error is not caused by the query: such errors are handled like everywhere else. */
const isOurs = ({ originalError }: GraphQLError): boolean =>
  originalError !== undefined && !(originalError instanceof graphql().GraphQLError);

const tell = ({ message, locations, path }: GraphQLError): object => ({
  message: message.slice(0, 500),
  ...(locations ? { locations } : {}),
  ...(path ? { path } : {}),
});
