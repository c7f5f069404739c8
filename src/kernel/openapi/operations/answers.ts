import type { RouteDescription } from '#kernel/http/routes/route-list.js';
import type { Answer } from '#kernel/http/answers/returns.js';
import { errorResponses } from './errors.js';
import type { Schema, SchemaRegistry } from '../components/schemas.js';

/** All responses of a route, by status. */
export const responsesOf = (route: RouteDescription, schemas: SchemaRegistry): Schema => ({
  ...success(route, schemas),
  ...errorResponses(route),
});

/** A file, and a part of it if ranges are supported. */
function fileAnswers({ description, file }: Answer): Schema {
  const content = { [file?.type ?? 'application/octet-stream']: {} };
  const statuses = Object.entries(file?.statuses ?? { 200: description ?? 'The file' });
  const whole = Object.fromEntries(statuses.map(([status, why]) => [status, { description: why, content }]));
  if (!file?.isRanged) return whole;
  const headers = { 'Content-Range': { schema: { type: 'string' } } };
  return {
    ...whole,
    ...(file.mayRedirect ? { 302: { description: 'The file is at `Location`' } } : {}),
    206: { description: 'The part that `Range` asks for', headers, content },
  };
}

/** Headers specific to the response of a route. */
function ownHeaders(headers: Answer['headers']): Schema {
  if (!headers) return {};
  const all = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return { headers: Object.fromEntries(all) as Schema };
}

/** Headers that many responses have, each once. */
export const sharedHeaders: Schema = {
  Link: { description: 'Pages around this one (RFC 8288)', schema: { type: 'string' } },
};

function success({ answer, isPaged }: RouteDescription, schemas: SchemaRegistry): Schema {
  const status = String(answer?.status ?? 200);
  if (answer?.file) return fileAnswers(answer);
  if (!answer?.record)
    return { [status]: { description: answer?.description ?? 'Done', ...ownHeaders(answer?.headers) } };
  const record = schemas.refer(answer.record);
  const list = { type: 'array', items: record };
  const schema = answer.orOne ? { oneOf: [list, record] } : answer.list ? list : record;
  return {
    [status]: {
      description: answer.description ?? (answer.list ? 'A page of the list' : 'The record'),
      ...(isPaged ? { headers: { Link: { $ref: '#/components/headers/Link' } } } : {}),
      content: { 'application/json': { schema } },
    },
    ...otherAnswer(answer, schemas),
  };
}

/** The alternative response of a route, with another status. */
function otherAnswer({ other }: Answer, schemas: SchemaRegistry): Schema {
  if (!other) return {};
  const { record, status, description } = other;
  const content = record && { content: { 'application/json': { schema: schemas.refer(record) } } };
  return { [status]: { description, ...content } };
}
