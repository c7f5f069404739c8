import { Injectable, type LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import { within } from '#kernel/time/within.js';
import { redactText } from './redaction.js';
import { requestContext } from './request-context.js';

/**
 * Written in batches: one system call for many lines. This is the limit kept while standard output is
 * blocked.
 */
const BATCH_LENGTH = 16_000;
const BATCH_MS = 200;
const FLUSH_LIMIT_MS = 2_000;
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

// It writes at once: batches are made before it, by a timer that runs only while there is something to write.
const destination = pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: MAX_BUFFERED_BYTES });
// With standard output gone or full it would retry forever, and every exit of the process calls it;
// `flushLogs` flushes instead.
destination.flushSync = () => undefined;
// Lines that a full disk or a closed terminal refuses are kept up to the limit, and written with a later one
// if it recovers. Unheard, such an error would be an uncaught one.
destination.on('error', () => undefined);

const options: pino.LoggerOptions = {
  level: 'info',
  base: null,
  messageKey: 'message',
  errorKey: 'error',
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  serializers: { error: describeError },
};

/** Levels at which requests are logged. */
const REQUEST_LEVELS = new Set(['trace', 'debug', 'info']);

/**
 * Writes log lines of requests in the format of the logger. They have no errors to serialize and already
 * contain their correlation id, so the logger would only add its cost (measured: 15 us of CPU time and 10 KB
 * of garbage per request).
 */
export const requestLogger = {
  level: 'info',

  get isEnabled(): boolean {
    return REQUEST_LEVELS.has(this.level);
  },

  /** Writes one line; the values must be JSON-serializable and free of secrets. */
  info(line: object): void {
    const time = new Date().toISOString();
    addLine(`{"level":"info","time":"${time}",${JSON.stringify(line).slice(1)}\n`);
  },
};

/** Lines that are passed on together. */
let lines = '';
let timer: NodeJS.Timeout | undefined;

function addLine(line: string): void {
  lines += line;
  if (lines.length >= BATCH_LENGTH) writeLines();
  else timer ??= setTimeout(writeLines, BATCH_MS).unref();
}

function writeLines(): void {
  clearTimeout(timer);
  timer = undefined;
  if (lines !== '') destination.write(lines);
  lines = '';
}

/**
 * The root logger: JSON lines on standard output, each with the correlation id of the current request or job.
 */
export const logger = pino(
  {
    ...options,
    mixin: () => {
      const context = requestContext.getStore();
      return context
        ? { correlation_id: context.correlationId, ...(context.span && { trace_id: context.span.traceId }) }
        : {};
    },
  },
  { write: addLine },
);

/** Sets the level of all loggers; called once, as soon as the configuration is known. */
export function configureLogging(level: string): void {
  logger.level = level;
  requestLogger.level = level;
}

/**
 * Writes what is buffered, just before the process exits. What cannot be written within two seconds is lost.
 */
export async function flushLogs(): Promise<void> {
  writeLines();
  // Its callback gets the error, which is not reported: the process exits.
  const written = new Promise<void>((resolve) => destination.flush(() => resolve()));
  await within(FLUSH_LIMIT_MS, written, () => undefined);
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redactText(error) : error;
  return {
    type: error.constructor.name,
    message: redactText(error.message, 1024),
    code: (error as { code?: unknown }).code,
    stack: error.stack === undefined ? undefined : redactStack(error.stack),
    cause: error.cause instanceof Error ? redactText(error.cause.message) : undefined,
  };
}

/**
 * Keeps the line breaks of a stack trace (JSON escapes them), but removes secrets that its first line may
 * quote.
 */
function redactStack(stack: string): string {
  return stack
    .split('\n')
    .slice(0, 20)
    .map((line) => redactText(line))
    .join('\n');
}

/** Lets Nest log through the root logger; `app.useLogger(new NestLogger())`. */
@Injectable()
export class NestLogger implements LoggerService {
  /** Nest's messages about its own start are logged at a low level. */
  log(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes (message, ...more, context), and for errors a stack before the context. */
  private write(level: pino.Level, message: unknown, rest: unknown[]): void {
    if (!logger.isLevelEnabled(level)) return;
    const context = typeof rest.at(-1) === 'string' ? (rest.at(-1) as string) : undefined;
    const stack = rest.find((item): item is string => typeof item === 'string' && item.includes('\n    at '));
    const error = message instanceof Error ? message : rest.find((item) => item instanceof Error);
    logger[level](
      {
        context: context === stack ? undefined : context,
        error,
        stack: stack === undefined || error ? undefined : redactStack(stack),
      },
      message instanceof Error ? redactText(message.message) : redactText(String(message)),
    );
  }
}
