import type { SmallPush, SmallPushEnd } from '#core/repositories/pushes/small/small-push.js';
import { packet } from '../../packs/git-command.js';
import { hidePath } from '../hide-path.js';
import { oneLine } from '../hook-channel.js';

const REPORT_BAND = '\u0001';
const WORDS_BAND = '\u0002';
const FLUSH = '0000';

/** Characters that fit into one packet. */
const MAX_SAID = 10_000;

/**
 * Formats git's response to a push of one ref, whose client supports side bands and expects a report.
 * `words`: messages after a success.
 */
export function smallAnswer(
  { change: { ref } }: SmallPush,
  end: SmallPushEnd,
  words: readonly string[],
  repositoryPath: string,
): Buffer {
  const said = end.said === '' ? [] : [end.said.slice(0, MAX_SAID)];
  const lines = end.is === 'refused' ? [`Forgeplane: ${oneLine(end.text)}`] : end.is === 'done' ? words : [];
  const told = [...said, ...lines.map((line) => `${line}\n`)].map((text) => packet(WORDS_BAND + text));
  const report = `${packet('unpack ok\n').toString()}${packet(`${verdictOn(ref, end)}\n`).toString()}${FLUSH}`;
  return Buffer.concat([
    hidePath(repositoryPath)(Buffer.concat(told)),
    packet(REPORT_BAND + report),
    Buffer.from(FLUSH),
  ]);
}

function verdictOn(ref: string, { is }: SmallPushEnd): string {
  if (is === 'done') return `ok ${ref}`;
  return `ng ${ref} ${is === 'late' ? 'failed to update ref' : 'pre-receive hook declined'}`;
}
