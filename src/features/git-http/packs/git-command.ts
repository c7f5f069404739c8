import type { Request } from 'express';
import type { GitService } from '../access/git-access.policy.js';

/** Commands of git by what they do for the client. */
export const COMMANDS: Readonly<Record<GitService, 'upload-pack' | 'receive-pack'>> = {
  pull: 'upload-pack',
  push: 'receive-pack',
};

/** Versions of the protocol that a client may ask for; anything else is none of git's business. */
const VERSIONS = new Set(['version=1', 'version=2']);

/** What the client says of the protocol, as git is told it. */
export function protocolOf(request: Request): Readonly<Record<string, string>> {
  const header = request.headers['git-protocol'];
  return typeof header === 'string' && VERSIONS.has(header) ? { GIT_PROTOCOL: header } : {};
}

/** The service that a query names, or null. */
export function serviceOf(request: Request): GitService | null {
  const { service } = request.query;
  if (service === 'git-upload-pack') return 'pull';
  return service === 'git-receive-pack' ? 'push' : null;
}

/** The length of a packet's text with its own header, in front of the text. */
export function packet(text: string): Buffer {
  const body = Buffer.from(text, 'utf8');
  const length = (body.length + 4).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(length, 'latin1'), body]);
}
