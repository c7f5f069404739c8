import { HttpError } from '../../errors.js';
import { jsonShape } from './json-shape.js';

/** Values of one JSON body of the API. */
export const MAX_JSON_VALUES = 50_000;

/** 422 of a body with more of them. */
export const tooManyValues = (): HttpError =>
  new HttpError(422, {
    message: `422 Unprocessable Entity - the body has more than ${MAX_JSON_VALUES} values`,
  });

/** Values in JSON, up to a number at which it is not counted further: each costs many times its text in memory once it is parsed. */
export const countValues = (json: Buffer, enough: number): number => jsonShape(json, enough).values;
