import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PacketWalk } from '../packet-walk.js';

const COMMAND = 'command=fetch';

/** What git answers by names of refs, which may change their meaning. */
const BY_NAME = /^(want-ref|deepen-not) /;

/**
 * What two requests for a pack have in common that get the same answer: protocol 2, in which a client names objects by their ids, and is done with
 * it. Null where it is not known that they would.
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

/** Git adds tags of what it sends: not those that came since. Names of refs in folders change no folder above, but none of them is asked for by name. */
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
