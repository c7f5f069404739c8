import type { Socket } from 'node:net';
import pg from 'pg';
import { hasFunctions, hasProperties, insideFile, reach } from './reach.js';

/** What pg stores about the columns of a result. */
export interface ResultShape {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
  rows: object[];
}

/** A setting that the server reports with the connection, and whenever it changes. */
export interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** A connection of pg, with the messages of the extended protocol that its type definitions omit. */
export interface PgWire {
  readonly stream: Pick<Socket, 'cork' | 'uncork' | 'destroy' | 'setKeepAlive' | 'bytesRead'>;
  /** Texts by the names of statements that the server has parsed, or is being asked to parse. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  query(text: string): void;
  parse(options: { name: string; text: string; types: readonly number[] }): void;
  bind(options: {
    portal: string;
    statement: string;
    values: readonly unknown[];
    valueMapper: (value: unknown) => unknown;
  }): void;
  execute(options: { portal: string; rows?: number }): void;
  sync(): void;
  close(what: { type: 'S'; name: string }): void;
  attachListeners: (stream: NodeJS.EventEmitter) => void;
  emit(event: string, ...message: unknown[]): boolean;
  on(event: 'parameterStatus', listener: (message: ParameterStatus) => void): void;
  once(event: string, listener: () => void): void;
}

/** What a client does at the moment, and how it connects. */
interface PgClientInside {
  readonly connectionParameters: { readonly statement_timeout: unknown };
  readonly _connected: boolean;
  readonly _ending: boolean;
  readonly _activeQuery: unknown;
  readonly _queryQueue: readonly unknown[];
  readonly _sentQueryQueue: readonly unknown[];
}

/** A query of pg with its internals. */
export interface PgQuery {
  name?: string;
  values?: unknown;
  readonly text: string;
  readonly portal: string;
  callback: (error: Error | null, result?: ResultShape) => void;
  /** Whether rows are kept; pg decides it on reading the description. */
  _accumulateRows: boolean;
  /** If set while rows arrive, the rest is dropped, and it becomes the error at the end. */
  _canceledDueToError: unknown;
  _result: ResultShape;
  submit(connection: PgWire): Error | null;
  prepare(connection: PgWire): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: { readonly length: number }): void;
  handleCommandComplete(message: unknown, connection: PgWire): void;
  handleEmptyQuery(connection: PgWire): void;
  handleCopyInResponse(connection: PgWire): void;
  handleError(error: unknown, connection: PgWire): void;
  handleReadyForQuery(connection: PgWire): void;
}

/** The query class of pg, to be extended. */
export const PgQueryBase = pg.Query as unknown as new (
  config: string | object,
  values?: undefined,
  settle?: (error: Error | null | undefined, result?: never) => void,
) => PgQuery;

/** Returns the connection of a client. */
export const wireOf = (client: pg.ClientBase): PgWire =>
  (client as unknown as { connection: PgWire }).connection;

/** Returns the internals of a client. */
export const insideOf = (client: pg.ClientBase): PgClientInside => client as unknown as PgClientInside;

/** Runs a query of our own class on a client. */
export const submitTo = (client: pg.ClientBase, query: object): void =>
  void client.query(query as unknown as pg.Submittable);

const utils = insideFile('pg/lib/utils.js') as { prepareValue(value: unknown): unknown } | undefined;

/** Converts a value as pg does before sending; pg does so once more, which changes nothing. */
export const prepareValue = (value: unknown): unknown => (utils ? utils.prepareValue(value) : value);

const HANDLERS = [
  'submit',
  'handleRowDescription',
  'handleDataRow',
  'handleCommandComplete',
  'handleEmptyQuery',
  'handleError',
  'handleReadyForQuery',
];

const isQueryKnown = (): boolean => {
  const query = new PgQueryBase('select 1');
  return (
    hasFunctions(query, ...HANDLERS) && hasProperties(query, '_result', '_canceledDueToError', 'callback')
  );
};

const isWireKnown = (): boolean => {
  const wire = wireOf(new pg.Client());
  const messages = ['bind', 'execute', 'sync', 'close', 'attachListeners', 'emit'];
  const names = ['stream', 'parsedStatements', 'submittedNamedStatements'];
  return (
    hasFunctions(wire, ...messages) &&
    hasFunctions(wire.stream, 'cork', 'uncork') &&
    hasProperties(wire, ...names)
  );
};

/**
 * Benefit, measured: 17 to 39 us per lookup, against 43 to 45 of pg's own pipeline. The public way is the
 * pool for reads.
 */
export const laneReach = reach({
  library: 'pg',
  broken:
    'pg no longer shows the parts of its queries and connections that pipelined reads are made of (src/kernel/database/lanes): short reads go to the pool, and take more than twice the time',
  looksRight: () =>
    utils !== undefined &&
    isQueryKnown() &&
    isWireKnown() &&
    hasFunctions(pg.Query.prototype, 'prepare') &&
    hasProperties(
      new PgQueryBase('select 1')._result,
      'fields',
      'rows',
      '_parsers',
      '_prebuiltEmptyResultObject',
    ) &&
    hasProperties(new pg.Client(), 'pipeline'),
});

/**
 * Benefit: a read that returns too much is cut off instead of filling the memory. The public way has no such
 * limit.
 */
export const boundReach = reach({
  library: 'pg',
  broken:
    'pg no longer gives its queries their rows one by one as they come (src/kernel/database/lanes/bounded-query.ts): reads for answers have no limit of bytes',
  looksRight: () => isQueryKnown() && hasFunctions(wireOf(new pg.Client()).stream, 'destroy'),
});

/**
 * Benefit, measured: one round trip less for each statement that needs no response before the next. The
 * public way sends them one after another.
 */
export const batchReach = reach({
  library: 'pg',
  broken:
    'pg no longer sends several statements in one write as src/kernel/database/statements makes it: each statement of a transaction takes a round trip of its own',
  looksRight: () =>
    isQueryKnown() && isWireKnown() && hasFunctions(pg.Query.prototype, 'requiresPreparation', '_getRows'),
});

/** Worth: PgBouncer in transaction mode works. There is no public way: a process behind a pooler refuses to start. */
export const openingReach = reach({
  library: 'pg',
  broken:
    'pg no longer sends its messages as src/kernel/database/sessions knows them: DATABASE_POOLER=transaction cannot work',
  looksRight: () => isWireKnown() && hasFunctions(wireOf(new pg.Client()), 'query', 'parse'),
});

/** Benefit: a server that falls silent is noticed within seconds. The public way is to wait until TCP gives up, up to 15 minutes. */
export const silenceReach = reach({
  library: 'pg',
  broken:
    'pg no longer shows whether a client waits for an answer (src/kernel/database/sessions/watched-client.ts): if PostgreSQL falls silent, its connections are given up after many minutes',
  looksRight: () => {
    const client = new pg.Client();
    const { connectionParameters, _queryQueue, _sentQueryQueue } = insideOf(client);
    return (
      hasProperties(client, '_connected', '_ending', '_activeQuery') &&
      hasProperties(connectionParameters, 'statement_timeout') &&
      Array.isArray(_queryQueue) &&
      Array.isArray(_sentQueryQueue) &&
      hasFunctions(wireOf(client).stream, 'destroy', 'setKeepAlive') &&
      hasProperties(wireOf(client).stream, 'bytesRead')
    );
  },
});

/** The internals of a pool. */
export interface PgPoolInside {
  readonly _clients: readonly pg.Client[];
  _isFull(): boolean;
  _pulseQueue(): void;
}

/** Benefit: waiting for locks does not use up the pool for others. The public way is a pool of fixed size. */
export const poolReach = reach({
  library: 'pg-pool',
  broken:
    'pg-pool no longer asks a method of its own whether it is full (src/kernel/database/patient-pool.ts): connections that wait for locks count like others',
  looksRight: () => {
    const pool = new pg.Pool({ max: 1 });
    return (
      hasFunctions(pool, '_isFull', '_pulseQueue') &&
      Array.isArray((pool as unknown as PgPoolInside)._clients)
    );
  },
});
