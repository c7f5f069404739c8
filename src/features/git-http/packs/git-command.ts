import type { Request } from 'express';
import type { GitService } from '../access/git-access.policy.js';

/** Git commands of the operations. */
export const COMMANDS: Readonly<Record<GitService, 'upload-pack' | 'receive-pack'>> = {
  pull: 'upload-pack',
  push: 'receive-pack',
};

/** Versions of the protocol that a client may request; other values are not passed to git. */
const VERSIONS = new Set(['version=1', 'version=2']);

/** Returns the environment for the client's protocol version. */
export function protocolOf(request: Request): Readonly<Record<string, string>> {
  const header = request.headers['git-protocol'];
  return typeof header === 'string' && VERSIONS.has(header) ? { GIT_PROTOCOL: header } : {};
}

/** Returns the service in a query, or null. */
export function serviceOf(request: Request): GitService | null {
  const { service } = request.query;
  if (service === 'git-upload-pack') return 'pull';
  return service === 'git-receive-pack' ? 'push' : null;
}

/** Formats a packet: its length, followed by the text. */
export function packet(text: string): Buffer {
  const body = Buffer.from(text, 'utf8');
  const length = (body.length + 4).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(length, 'latin1'), body]);
}
