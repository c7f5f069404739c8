import { GitFailure } from '#core/repositories/git/git-failure.js';
import { git } from '#core/repositories/git/git.js';
import { commitMessages, MAX_MESSAGES, MAX_MESSAGES_BYTES } from './commit-messages.js';
import { committerEmails, MAX_COMMITTER_BYTES } from './committer-emails.js';
import type { Heads } from './merge-request-heads.service.js';

const ARGS = ['log', '-z', '--format=%P%x00%ce%x00%B', `--max-count=${MAX_MESSAGES + 1}`];
const PARTS = 3;

/**
 * Reads committers and newest messages of commits in `to` but not in `from` (full ids), with one git process
 * if there are no more commits than messages are read of.
 */
export async function readWork(
  path: string,
  from: string,
  to: string,
  env: Readonly<Record<string, string>>,
): Promise<Pick<Heads, 'committerEmails' | 'messages'>> {
  const parts = await log(path, [...ARGS, to, `^${from}`, '--'], env);
  if (!parts || parts.length > MAX_MESSAGES * PARTS + 1) {
    const [emails, messages] = await Promise.all([
      committerEmails(path, from, to, env),
      commitMessages(path, from, to, env),
    ]);
    return { committerEmails: emails, messages };
  }
  const emails = new Set<string>();
  let messages = '';
  let emailBytes = 0;
  for (let at = 0; at + PARTS <= parts.length; at += PARTS) {
    const [parents = '', email = '', message = ''] = parts.slice(at, at + PARTS);
    // Committers of merges do not count.
    if (!parents.includes(' ') && email !== '') emails.add(email.toLowerCase());
    emailBytes += Buffer.byteLength(email) + 1;
    messages += `${message}\n`;
  }
  return { committerEmails: emailBytes > MAX_COMMITTER_BYTES ? null : [...emails].sort(), messages };
}

/** Null if there is too much output. */
async function log(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string[] | null> {
  try {
    const output = await git(path, args, { env, maxBytes: MAX_MESSAGES_BYTES });
    return output.length === 0 ? [] : output.toString('utf8').split('\0');
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'too-large') return null;
    throw error;
  }
}
