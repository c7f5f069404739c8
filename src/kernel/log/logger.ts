import { Injectable, type LoggerService } from '@nestjs/common';
import { pino } from 'pino';
import { redactText } from './redaction.js';
import { requestContext } from './request-context.js';

/** Written in batches: one system call for many lines. At most this is kept while standard output is blocked. */
const BATCH_LENGTH = 16_000;
const BATCH_MS = 200;
const FLUSH_LIMIT_MS = 2_000;
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

// It takes what it is given at once: the batches are ours, whose timer runs only while there is something to write.
const destination = pino.destination({ dest: 1, sync: false, minLength: 1, maxLength: MAX_BUFFERED_BYTES });
// Where standard output is gone or full it would try for ever, and every exit of the process calls it: `flushLogs` does so instead.
destination.flushSync = () => undefined;

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
 * Lines of requests, in the form of the logger's own. They have no errors to serialize and say their correlation id themselves,
 * so the logger would only add its cost (measured: 15 us of CPU and 10 KB of garbage a request).
 */
export const requestLogger = {
  level: 'info',

  get isEnabled(): boolean {
    return REQUEST_LEVELS.has(this.level);
  },

  /** Writes one line; the values must be fit for JSON and free of secrets. */
  info(line: object): void {
    const time = new Date().toISOString();
    addLine(`{"level":"info","time":"${time}",${JSON.stringify(line).slice(1)}\n`);
  },
};

/** Lines that are handed on together. */
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

/** The root logger: JSON lines on standard output, each with the correlation id of what is being served. */
export const logger = pino(
  {
    ...options,
    mixin: () => {
      const context = requestContext.getStore();
      return context ? { correlation_id: context.correlationId } : {};
    },
  },
  { write: addLine },
);

/** Sets the level of all loggers; called once, as soon as the configuration is known. */
export function configureLogging(level: string): void {
  logger.level = level;
  requestLogger.level = level;
}

/** Writes what is buffered; for the last moment of a process. What nobody takes within two seconds is lost. */
export function flushLogs(): Promise<void> {
  writeLines();
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_LIMIT_MS).unref();
    // It is called back with the error where nobody is left to be told.
    destination.flush(() => resolve());
  });
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

/** Keeps the lines of a stack (JSON escapes them), without secrets that its first line may quote. */
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
  /** What Nest reports of its own start is for those who look for it. */
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

  /** Nest passes (message, ...more, context), and a stack before the context for errors. */
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
