import type { Request } from 'express';
import { TEXTS } from '../access/git-texts.js';
import { GitRefusal } from '../git-answer.js';

/** Four zeros: an empty list of commands. */
const PROBE = '0000';

/**
 * Returns whether this is the probe that clients send before a large push, to learn whether they may push: it
 * changes nothing, and needs no git process. @throws 400 for anything else of that length; aborts if its four
 * bytes do not arrive in time
 */
export async function isProbe(request: Request, idleMs: number): Promise<boolean> {
  if (request.headers['content-length'] !== String(PROBE.length)) return false;
  const timer = setTimeout(() => request.destroy(), idleMs);
  try {
    let text = '';
    for await (const chunk of request) text += (chunk as Buffer).toString('latin1');
    if (text !== PROBE) throw new GitRefusal(400, TEXTS.malformed);
    return true;
  } finally {
    clearTimeout(timer);
  }
}
