import { packet } from './git-command.js';
import { PacketWalk } from './packet-walk.js';

/** Side bands of git's responses: 1 for the pack, 2 for messages to the user. */
const PACK_BAND = 1;
const WORDS_BAND = 2;

/** Inserts a message before the first packet of either band; a response without bands is unchanged. */
export function insertNotice(notice: string): (chunk: Buffer) => Buffer {
  const line = packet(`${String.fromCharCode(WORDS_BAND)}${notice}\n`);
  const walk = new PacketWalk();
  let pending = Buffer.alloc(0);
  let isOver = false;
  return (chunk) => {
    if (isOver) return chunk;
    const bytes = Buffer.concat([pending, chunk]);
    const positions: number[] = [];
    const walked = walk.run(bytes, ({ at, first }) => {
      if (first === PACK_BAND || first === WORDS_BAND) positions.push(at);
      return positions.length === 0;
    });
    if (walked === null) {
      isOver = true;
      const [position] = positions;
      return position === undefined
        ? bytes
        : Buffer.concat([bytes.subarray(0, position), line, bytes.subarray(position)]);
    }
    pending = Buffer.from(bytes.subarray(walked));
    return bytes.subarray(0, walked);
  };
}
