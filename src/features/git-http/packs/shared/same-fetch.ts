import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PacketWalk } from '../packet-walk.js';

const COMMAND = 'command=fetch';

/** Arguments by ref name, whose results may change. */
const BY_NAME = /^(want-ref|deepen-not) /;

/**
 * Returns a key of requests that get the same pack: in protocol 2 a client names objects by id, with `done`.
 * Null if equality is not certain.
 */
export async function sameFetch(
  path: string,
  protocol: Readonly<Record<string, string>>,
  negotiation: Buffer,
): Promise<string | null> {
  if (protocol['GIT_PROTOCOL'] !== 'version=2' || !isPlain(negotiation)) return null;
  const hash = createHash('sha256').update(`${path}\0${await stateOfRefs(path)}\0`);
  return hash.update(negotiation).digest('base64url');
}

/**
 * Git adds tags of sent objects, but not tags created later. Refs in subfolders do not change their parent
 * folders, but none of them is requested by name.
 */
async function stateOfRefs(path: string): Promise<string> {
  const states = ['packed-refs', 'refs/heads', 'refs/tags'].map(async (name) => {
    const entry = await stat(join(path, name), { bigint: true }).catch(() => null);
    return entry ? `${entry.ino} ${entry.size} ${entry.mtimeNs}` : '-';
  });
  return (await Promise.all(states)).join('\0');
}

function isPlain(negotiation: Buffer): boolean {
  const lines: string[] = [];
  const walked = new PacketWalk().run(negotiation, ({ at, first, length }) => {
    const line =
      first === null ? '' : negotiation.toString('latin1', at + 4, at + Math.min(length, 64)).trimEnd();
    if (lines.length === 0 || line === 'done' || BY_NAME.test(line)) lines.push(line);
    return true;
  });
  return walked === negotiation.length && lines.join(' ') === `${COMMAND} done`;
}
