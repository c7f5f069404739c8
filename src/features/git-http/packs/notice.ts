import { packet } from './git-command.js';
import { PacketWalk } from './packet-walk.js';

/** Bands of git's answers: 1 carries the pack, 2 what the user is shown. */
const PACK_BAND = 1;
const WORDS_BAND = 2;

/** Puts a line for the user in front of the first packet of either band; an answer without bands has no place for one. */
export function insertNotice(notice: string): (chunk: Buffer) => Buffer {
  const line = packet(`${String.fromCharCode(WORDS_BAND)}${notice}\n`);
  const walk = new PacketWalk();
  let pending = Buffer.alloc(0);
  let isOver = false;
  return (chunk) => {
    if (isOver) return chunk;
    const bytes = Buffer.concat([pending, chunk]);
    const places: number[] = [];
    const walked = walk.run(bytes, ({ at, first }) => {
      if (first === PACK_BAND || first === WORDS_BAND) places.push(at);
      return places.length === 0;
    });
    if (walked === null) {
      isOver = true;
      const [place] = places;
      return place === undefined
        ? bytes
        : Buffer.concat([bytes.subarray(0, place), line, bytes.subarray(place)]);
    }
    pending = Buffer.from(bytes.subarray(walked));
    return bytes.subarray(0, walked);
  };
}
