import { Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { LRUCache } from 'lru-cache';
import { HttpError } from '#kernel/http/errors.js';
import { metrics } from '#kernel/log/metrics.js';

const logger = new Logger('RepositoryStorages');

const met = new Counter({
  name: 'repositories_damaged_total',
  help: 'Reads and writes that git refused because the repository is damaged',
  registers: [metrics],
});

const LOG_EVERY_MS = 60_000;
const MAX_TOLD = 100;
const MAX_TEXT = 500;

/** Time of the last log line, by repository. */
const told = new LRUCache<string, number>({ max: MAX_TOLD });

/** Error message for users of a damaged repository. */
export const DAMAGED = 'The repository is damaged';

/**
 * Error 503 for a damaged repository, which only an operator or a backup can repair. Created where damage is
 * found; counted, and logged once a minute.
 */
export class RepositoryDamaged extends HttpError {
  constructor(repositoryPath: string, what: string) {
    super(503, { message: DAMAGED }, { 'Retry-After': '60' });
    met.inc();
    tell(repositoryPath, what.trim().slice(0, MAX_TEXT));
  }
}

function tell(repositoryPath: string, what: string): void {
  const now = performance.now();
  if (now - (told.get(repositoryPath) ?? -Infinity) < LOG_EVERY_MS) return;
  told.set(repositoryPath, now);
  logger.error(`The repository ${repositoryPath} is damaged: ${what}`);
}
