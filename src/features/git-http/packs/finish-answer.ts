import type { Response } from 'express';
import { stat } from 'node:fs/promises';
import { logger } from '#kernel/log/logger.js';
import { isDamage } from '#core/repositories/git/damage/damage.js';
import { RepositoryDamaged } from '#core/repositories/git/damage/repository-damaged.js';
import { TEXTS } from '../access/git-texts.js';
import { beginAnswer, GitRefusal, unavailable } from '../git-answer.js';
import type { PackEnd } from './pack-stream.js';

/**
 * Ends an answer once git has ended. What git itself said is left as it is: also its errors are for the client. @throws what to say
 * instead where git said nothing: 400 for a request that it did not understand, 503 for a repository that is not there,
 * or is damaged
 */
export async function finishAnswer(
  response: Response,
  { code, stderr, inputError }: PackEnd,
  path: string,
  contentType: string,
): Promise<void> {
  if (response.destroyed) return;
  if (inputError && !response.headersSent) throw inputError;
  const damage = (await isDamage(path, '', stderr)) ? new RepositoryDamaged(path, stderr) : null;
  if (response.headersSent) {
    // What git has left out of an answer that it takes for a good one, or was stopped before: the client must not take it for one.
    if ((damage && code === 0) || code === null) response.destroy();
    else response.end();
    return;
  }
  if (damage) throw damage;
  if (code === 0) {
    beginAnswer(response, contentType);
    response.end();
    return;
  }
  const isThere = await stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isThere && code !== null) throw new GitRefusal(400, TEXTS.malformed);
  logger.error({ code, stderr }, 'git ended without an answer');
  throw unavailable(TEXTS.unavailable);
}
