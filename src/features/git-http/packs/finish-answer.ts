import type { Response } from 'express';
import { stat } from 'node:fs/promises';
import { logger } from '#kernel/log/logger.js';
import { isDamage } from '#core/repositories/git/damage/damage.js';
import { RepositoryDamaged } from '#core/repositories/git/damage/repository-damaged.js';
import { TEXTS } from '../access/git-texts.js';
import { beginAnswer, GitRefusal, unavailable } from '../git-answer.js';
import type { PackEnd } from './pack-stream.js';

/**
 * Ends a response after git has ended. Output of git, including its errors, is for the client and left
 * unchanged. @throws the error to send if git wrote nothing: 400 for a request that it did not understand,
 * 503 for a missing or damaged repository
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
    // Git omitted something without an error, or was killed: the client must not take the response for
    // complete.
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
