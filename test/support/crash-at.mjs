// node --import crash-at.mjs: a process of the product that is lost at a step of the first write after the file CRASH_FILE names that step.
import { Buffer } from 'node:buffer';
import { existsSync, promises, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';

const file = process.env.CRASH_FILE ?? '';
const ACCEPT = 'update running_pushes set changes';
/** Statements of the transactions that make a write known: that of a push, and that of a package. */
const KNOWN = ['taken as (delete from running_pushes', 'insert into package_files'];

const armed = (step) => existsSync(file) && readFileSync(file, 'utf8') === step;
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function die() {
  rmSync(file, { force: true });
  process.kill(process.pid, 'SIGKILL');
  // A signal to oneself arrives a moment later; nothing may happen in it.
  pause(10_000);
}

const { rename } = promises;
promises.rename = async (from, to) => {
  if (armed('move')) die();
  await rename(from, to);
  if (armed('moved')) die();
};

/** Connections within such a transaction. */
const telling = new WeakSet();
const { write } = net.Socket.prototype;
net.Socket.prototype.write = function (chunk, ...rest) {
  const text = existsSync(file) && Buffer.isBuffer(chunk) ? chunk.toString('latin1') : '';
  if (text.includes(ACCEPT) && armed('accept')) die();
  if (KNOWN.some((statement) => text.includes(statement))) {
    if (armed('note')) die();
    telling.add(this);
  }
  if (!telling.has(this) || !text.includes('COMMIT')) return write.call(this, chunk, ...rest);
  if (armed('commit')) die();
  const result = write.call(this, chunk, ...rest);
  if (armed('committed')) {
    pause(300);
    die();
  }
  return result;
};

if (isMainThread) syncBuiltinESMExports();
