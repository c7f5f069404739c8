import type { ServerResponse } from 'node:http';
import { logger } from './logger.js';
import type { RequestContext, TimedStatement } from './request-context.js';

/** Limit of statements in a log line, slowest first. */
const SHOWN = 10;
const MAX_TEXT = 1_000;

/**
 * Logs a request that took too long, with its statements. Streams and git requests are judged by their
 * database time.
 */
export function noteSlow(context: RequestContext, durationMs: number, slowMs: number): void {
  const { isStream = false, dbDurationMs } = context;
  if ((isStream ? dbDurationMs : Math.max(durationMs, dbDurationMs)) < slowMs) return;
  logger.warn(
    {
      method: context.method,
      route: context.route,
      duration_s: durationMs / 1_000,
      db_duration_s: dbDurationMs / 1_000,
      db_count: context.dbCount,
      statements: slowest(context.statements ?? []),
      user_id: context.userId,
      correlation_id: context.correlationId,
      trace_id: context.traceId,
    },
    'Slow request',
  );
}

const slowest = (statements: readonly TimedStatement[]): object[] =>
  [...statements]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SHOWN)
    .map(({ text, ms }) => ({
      duration_s: Math.round(ms * 1_000) / 1e6,
      sql: text.replace(/\s+/g, ' ').slice(0, MAX_TEXT),
    }));

/** Adds a response header with the time elapsed so far, and the database's part of it. */
export function addTiming(response: ServerResponse, context: RequestContext): void {
  if (response.headersSent || Object.hasOwn(response, 'writeHead')) return;
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  const began = context.startedAt ?? performance.now();
  response.writeHead = (...args: unknown[]): ServerResponse => {
    const total = (performance.now() - began).toFixed(1);
    const database = context.dbDurationMs.toFixed(1);
    response.setHeader(
      'Server-Timing',
      `total;dur=${total}, db;dur=${database};desc="${context.dbCount} statements"`,
    );
    return writeHead(...args);
  };
}
