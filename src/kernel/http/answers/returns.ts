import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { FieldClass } from '../fields/field-spec.js';

/** A file as routes answer it. */
export interface FileAnswer {
  /** Unless told, bytes of any kind. */
  readonly type?: string;
  /** Whether `Range` asks for a part of it. */
  readonly isRanged?: true;
  /** Whether the client may be sent to the object store for it. */
  readonly mayRedirect?: true;
  /** By which statuses the handler answers it, with what they mean; 200 unless told. */
  readonly statuses?: Readonly<Record<number, string>>;
}

/** What a route answers: one record, a list of it, or no body. */
export interface Answer {
  readonly record: FieldClass | null;
  readonly status: number;
  readonly list: boolean;
  /** Whether it answers one record where the request names it, else all of them. */
  readonly orOne?: true;
  readonly description?: string | undefined;
  /** Headers that it alone has, with what they mean. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What it answers instead, by another status. */
  readonly other?: {
    /** Null: no body. */
    readonly record: FieldClass | null;
    readonly status: number;
    readonly description: string;
  };
  /** It is a page for people, which no record describes. */
  readonly page?: true;
  /** It is a file, which no record describes, and whose tag is known when it is sent. */
  readonly file?: FileAnswer;
}

/** Key under which a handler's answer is stored. */
export const ANSWER = 'forgeplane:answer';

const answers = (answer: Answer): MethodDecorator =>
  applyDecorators(SetMetadata(ANSWER, answer), HttpCode(answer.status));

/** The route answers one record, with 200 unless said otherwise; checked strictly under test. */
export const Returns = (record: FieldClass, status = 200, description?: string): MethodDecorator =>
  answers({ record, status, list: false, description });

/** The route answers one record; or another one, or none, with another status, which the handler sets. */
export const ReturnsOr = (
  record: FieldClass,
  status: number,
  other: NonNullable<Answer['other']>,
): MethodDecorator => answers({ record, status, list: false, other });

/** The route answers an array of records. */
export const ReturnsList = (record: FieldClass, status = 200): MethodDecorator =>
  answers({ record, status, list: true });

/** The route answers all records, or the one that the request names. */
export const ReturnsListOrOne = (record: FieldClass, description: string): MethodDecorator =>
  answers({ record, status: 200, list: true, orOne: true, description });

/** The route answers without a body, with 204 unless said otherwise; what there is to tell is in headers. */
export const ReturnsNothing = (status = 204, headers?: Answer['headers']): MethodDecorator =>
  answers({ record: null, status, list: false, headers });

/** The route answers a file: bytes that no record describes, with 200. */
export const ReturnsFile = (description = 'The bytes of the file', file: FileAnswer = {}): MethodDecorator =>
  answers({ record: null, status: 200, list: false, description, file });

/** The answer that a handler declares. */
export const answerOf = (handler: object): Answer | undefined =>
  Reflect.getMetadata(ANSWER, handler) as Answer | undefined;
