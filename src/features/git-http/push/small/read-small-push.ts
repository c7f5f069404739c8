import { isValidRefName } from '#core/repositories/ref-name.js';
import { branchOf, NO_OBJECT, tagOf } from '#core/repositories/pushes/ref-change.js';
import type { SmallPush } from '#core/repositories/pushes/small/small-push.js';
import { readProposal } from '../proposal.js';

/** Git keeps packs with more objects as they are. */
const MAX_OBJECTS = 99;

const PACK_HEADER = 12;
const FLUSH = '0000';

/** Invalid UTF-8 in a name was replaced here and needs git. */
const COMMAND = /^([0-9a-f]{40} [0-9a-f]{40} refs\/[^\0\n\ufffd]+)\0([^\0\n]*)\n?$/;

interface Section {
  readonly lines: readonly string[];
  /** The following bytes. */
  readonly rest: Buffer;
}

/**
 * Parses the body of a small push: it creates or updates one branch or tag, brings few objects, and its
 * client understands the response. Null for all others, which git must receive.
 */
export function readSmallPush(body: Buffer): SmallPush | null {
  const commands = readSection(body);
  const [, command, said = ''] = COMMAND.exec(commands?.lines[0] ?? '') ?? [];
  if (!commands || command === undefined || commands.lines.length > 1) return null;
  const words = new Set(said.split(' '));
  if (!isUnderstood(words)) return null;
  const options = words.has('push-options') ? readSection(commands.rest) : { ...commands, lines: [] };
  const pack = options?.rest;
  if (!options || !pack || !isFewObjects(pack)) return null;
  const told = options.lines.map((line) => line.replace(/\n$/, ''));
  if (told.some((line) => /[\0\n\ufffd]/.test(line))) return null;
  const proposal = readProposal([...told.map((line) => `option ${line}`), `change ${command}`]);
  const [change] = proposal?.changes ?? [];
  if (!proposal || !change || change.after === NO_OBJECT || change.after === change.before) return null;
  const name = branchOf(change) ?? tagOf(change);
  if (name === null || !isValidRefName(name)) return null;
  return { change, pushOptions: proposal.options, pack, isQuiet: words.has('quiet') };
}

const isUnderstood = (words: ReadonlySet<string>): boolean =>
  words.has('side-band-64k') &&
  (words.has('report-status') || words.has('report-status-v2')) &&
  [...words].every((word) => !word.startsWith('object-format=') || word === 'object-format=sha1');

const isFewObjects = (pack: Buffer): boolean =>
  pack.length > PACK_HEADER &&
  pack.toString('latin1', 0, 4) === 'PACK' &&
  pack.readUInt32BE(4) === 2 &&
  pack.readUInt32BE(8) <= MAX_OBJECTS;

/** Returns the packets up to the flush packet; null if it is missing, or they are invalid. */
function readSection(bytes: Buffer): Section | null {
  const lines: string[] = [];
  for (let at = 0; at + FLUSH.length <= bytes.length;) {
    const text = bytes.toString('latin1', at, at + FLUSH.length);
    if (text === FLUSH) return { lines, rest: bytes.subarray(at + FLUSH.length) };
    const length = /^[0-9a-f]{4}$/i.test(text) ? Number.parseInt(text, 16) : 0;
    if (length <= FLUSH.length || at + length > bytes.length) return null;
    lines.push(bytes.toString('utf8', at + FLUSH.length, at + length));
    at += length;
  }
  return null;
}
