// node --import lose-at-step.mjs: a process of the product that sends itself a signal at a step of a storage
// move, LOSE_AT=<step>:<signal>: a worker dies (SIGKILL) or is suspended (SIGSTOP) at exactly that point. The
// steps are those of move-steps.ts.
import { Buffer } from 'node:buffer';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { pause, statementIn } from './wire.mjs';

const [step = '', signal] = (process.env.LOSE_AT ?? '').split(':');
/** Copies are placed before the transaction that stores `replicated`; other steps are reached with their commit. */
const stored = step === 'placed' ? 'replicated' : step;
/** The name of the step as a value of a statement: its length in four bytes, and its letters. */
const value = Buffer.concat([Uint8Array.of(0, 0, 0, stored.length), Buffer.from(stored)]);
const [PARSE, BIND] = Buffer.from('PB');
const JOURNAL = 'update storage_moves set journal';
const ENDS = ['COMMIT\0', 'ROLLBACK\0'].map((tag) => Buffer.from(tag));

function lose() {
  process.kill(process.pid, signal);
  pause(200);
}

/** The last statement parsed on each connection, which is bound next unless it has a name. */
const parsed = new WeakMap();
/** Connections within a transaction that stores the step. */
const storing = new WeakSet();
const { write, push } = net.Socket.prototype;

function written(message) {
  const statement = statementIn(message);
  if (message[0] === PARSE) parsed.set(this, statement);
  if (message[0] !== BIND || !message.includes(value)) return;
  if (!(statement || (parsed.get(this) ?? '')).includes(JOURNAL)) return;
  if (step === 'placed') lose();
  else storing.add(this);
}

if (isMainThread && signal !== undefined) {
  net.Socket.prototype.write = function (chunk, ...rest) {
    if (Buffer.isBuffer(chunk)) written.call(this, chunk);
    return write.call(this, chunk, ...rest);
  };
  net.Socket.prototype.push = function (chunk, ...rest) {
    const end = storing.has(this) ? ENDS.findIndex((tag) => chunk?.includes(tag)) : -1;
    if (end >= 0) storing.delete(this);
    if (end === 0) lose();
    return push.call(this, chunk, ...rest);
  };
}
