import type { RouteDescription } from '#kernel/http/routes/route-list.js';

/** How an operation is called: for generators of clients, and for people. */
export interface OperationWords {
  readonly id: string;
  readonly summary: string;
}

/** What the document says beside what decorators say; it speaks of projects and issues, of which the kernel knows nothing. */
export interface DocumentWords {
  readonly operationOf: (route: RouteDescription) => OperationWords;
  readonly areaOf: (route: RouteDescription) => string;
  /** The areas in their order, each with what it is about. */
  readonly areas: Readonly<Record<string, string>>;
  /** What a parameter means whose field does not say it. */
  readonly parameterOf: (place: 'path' | 'query', name: string, path: string) => string | undefined;
  /** What fields of bodies mean that do not say it, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** What the service answered, as JSON, by the name of the record. */
  readonly examples: Readonly<Record<string, string>>;
}
