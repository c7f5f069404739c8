// node --import lose-at.mjs: kills a command at a point of its work, LOSE_AT='<how many times> <kind> <expression>': when a statement that matches
// is about to leave for the database (query), or a file or folder whose present path matches is about to get its place (rename) or has got it (renamed).
import { Buffer } from 'node:buffer';
import { promises } from 'node:fs';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { pause, statementIn } from './wire.mjs';

const [, times = '0', kind, text = ''] = /^(\d+) (\w+) (.*)$/s.exec(process.env.LOSE_AT ?? '') ?? [];
const point = new RegExp(text, 'is');
let left = Number(times);

function passes(what) {
  if (!point.test(what)) return;
  left -= 1;
  if (left > 0) return;
  process.kill(process.pid, 'SIGKILL');
  pause(10_000);
}

const { rename } = promises;
promises.rename = async (from, to) => {
  if (kind === 'rename') passes(from);
  await rename(from, to);
  if (kind === 'renamed') passes(from);
};

const { write } = net.Socket.prototype;
if (isMainThread && kind === 'query')
  net.Socket.prototype.write = function (chunk, ...rest) {
    if (Buffer.isBuffer(chunk)) passes(statementIn(chunk));
    return write.call(this, chunk, ...rest);
  };
