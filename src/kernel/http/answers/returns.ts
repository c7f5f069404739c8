import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { FieldClass } from '../fields/field-spec.js';

/** Declaration of a file answer. */
export interface FileAnswer {
  /** Content type; if undefined, arbitrary bytes. */
  readonly type?: string;
  /** Whether the route supports `Range`. */
  readonly isRanged?: true;
  /** Whether the answer may be a redirect to the object store. */
  readonly mayRedirect?: true;
  /** Descriptions of the possible statuses; 200 by default. */
  readonly statuses?: Readonly<Record<number, string>>;
}

/** Declaration of an answer: one record, a list of records, or no body. */
export interface Answer {
  readonly record: FieldClass | null;
  readonly status: number;
  readonly list: boolean;
  /** Whether the answer is one record if the request names it, and all records otherwise. */
  readonly orOne?: true;
  readonly description?: string | undefined;
  /** Descriptions of the headers that only this route sends. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Alternative answer with another status. */
  readonly other?: {
    /** Null for no body. */
    readonly record: FieldClass | null;
    readonly status: number;
    readonly description: string;
  };
  /** Marks an HTML page, which has no record. */
  readonly page?: true;
  /** Marks a file, which has no record and gets its entity tag when it is sent. */
  readonly file?: FileAnswer;
}

/** Metadata key of a handler's declared answer. */
export const ANSWER = 'forgeplane:answer';

const answers = (answer: Answer): MethodDecorator =>
  applyDecorators(SetMetadata(ANSWER, answer), HttpCode(answer.status));

/** Declares that a route answers one record, with 200 by default; strictly checked under test. */
export const Returns = (record: FieldClass, status = 200, description?: string): MethodDecorator =>
  answers({ record, status, list: false, description });

/** Declares that a route answers one record, or with another status, set by the handler, another record or no body. */
export const ReturnsOr = (
  record: FieldClass,
  status: number,
  other: NonNullable<Answer['other']>,
): MethodDecorator => answers({ record, status, list: false, other });

/** Declares that a route answers an array of records. */
export const ReturnsList = (record: FieldClass, status = 200): MethodDecorator =>
  answers({ record, status, list: true });

/** Declares that a route answers all records, or one record if the request names it. */
export const ReturnsListOrOne = (record: FieldClass, description: string): MethodDecorator =>
  answers({ record, status: 200, list: true, orOne: true, description });

/** Declares that a route answers without a body, with 204 by default; any data is in headers. */
export const ReturnsNothing = (status = 204, headers?: Answer['headers']): MethodDecorator =>
  answers({ record: null, status, list: false, headers });

/** Declares that a route answers a file with 200; files have no record. */
export const ReturnsFile = (description = 'The bytes of the file', file: FileAnswer = {}): MethodDecorator =>
  answers({ record: null, status: 200, list: false, description, file });

/** Returns the answer that a handler declares. */
export const answerOf = (handler: object): Answer | undefined =>
  Reflect.getMetadata(ANSWER, handler) as Answer | undefined;
