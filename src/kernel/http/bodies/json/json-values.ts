import { HttpError } from '../../errors.js';
import { jsonShape } from './json-shape.js';

/** Limit of the values in one JSON body. */
export const MAX_JSON_VALUES = 50_000;

/** 422 for a body with too many values. */
export const tooManyValues = (): HttpError =>
  new HttpError(422, {
    message: `422 Unprocessable Entity - the body has more than ${MAX_JSON_VALUES} values`,
  });

/** Counts the values in JSON, up to a limit; once parsed, each takes many times the memory of its text. */
export const countValues = (json: Buffer, enough: number): number => jsonShape(json, enough).values;
