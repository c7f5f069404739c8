import type { RouteDescription } from '#kernel/http/routes/route-list.js';

/** Name of an operation, for client generators and for people. */
export interface OperationWords {
  readonly id: string;
  readonly summary: string;
}

/**
 * Texts of the document beyond those of decorators. They are about projects and issues, which the kernel does
 * not know.
 */
export interface DocumentWords {
  readonly operationOf: (route: RouteDescription) => OperationWords;
  readonly areaOf: (route: RouteDescription) => string;
  /** The areas in order, each with a description. */
  readonly areas: Readonly<Record<string, string>>;
  /** Description of a parameter whose field has none. */
  readonly parameterOf: (location: 'path' | 'query', name: string, path: string) => string | undefined;
  /** Description of a body field that has none, by the name of its schema. */
  readonly fieldOf: (schema: string, field: string) => string | undefined;
  /** Sample responses of the service as JSON, by the name of the record. */
  readonly examples: Readonly<Record<string, string>>;
}
