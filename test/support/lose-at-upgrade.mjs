// node --import lose-at-upgrade.mjs: kills `cli database upgrade` while it copies (LOSE_AT=copy), when the new folder is complete (made), or when the old
// folder has been moved away (moved).
import { Buffer } from 'node:buffer';
import { promises } from 'node:fs';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { pause } from './wire.mjs';

const step = process.env.LOSE_AT;

function lose() {
  process.kill(process.pid, 'SIGKILL');
  pause(10_000);
}

const { rename } = promises;
promises.rename = async (from, to) => {
  if (step === 'made' && from.endsWith('/postgres')) lose();
  if (step === 'moved' && from.endsWith('/postgres.upgraded')) lose();
  await rename(from, to);
};

const { write } = net.Socket.prototype;
if (isMainThread && step === 'copy')
  net.Socket.prototype.write = function (chunk, ...rest) {
    if (Buffer.isBuffer(chunk) && /^Q....copy "issues" .* from stdin/s.test(chunk.toString('latin1'))) lose();
    return write.call(this, chunk, ...rest);
  };
