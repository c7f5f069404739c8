// node --import crash-at.mjs: a process of the product that is lost at a step of the first write after the file CRASH_FILE names that step.
import { Buffer } from 'node:buffer';
import { existsSync, promises, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { pause, statementIn } from './wire.mjs';

const file = process.env.CRASH_FILE ?? '';
const ACCEPT = 'update running_pushes set changes';
/** The values of the statement that announces a push with its changes: the first that contain any. */
const ACCEPTED = /"before":"[0-9a-f]{40}","after":"[0-9a-f]{40}"/;
/** Statements of the transactions that publish a write: that of a push, and that of a package. */
const KNOWN = ['taken as (delete from running_pushes', 'insert into package_files'];

const armed = (step) => existsSync(file) && readFileSync(file, 'utf8') === step;

function die() {
  rmSync(file, { force: true });
  process.kill(process.pid, 'SIGKILL');
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
/** Writes whose pending commit is sent when everything written with it is complete. */
const committing = new WeakSet();
const { write, uncork } = net.Socket.prototype;

function lostAfterCommit() {
  pause(300);
  die();
}

net.Socket.prototype.write = function (chunk, ...rest) {
  const statement = Buffer.isBuffer(chunk) ? statementIn(chunk) : '';
  if (!existsSync(file)) return write.call(this, chunk, ...rest);
  const isAccepted =
    statement.includes(ACCEPT) || (Buffer.isBuffer(chunk) && ACCEPTED.test(chunk.toString('latin1')));
  if (isAccepted && armed('accept')) die();
  if (KNOWN.some((text) => statement.includes(text))) {
    if (armed('note')) die();
    telling.add(this);
  }
  if (!telling.has(this) || !statement.includes('COMMIT')) return write.call(this, chunk, ...rest);
  if (armed('commit')) die();
  const result = write.call(this, chunk, ...rest);
  if (armed('committed')) {
    if (this.writableCorked > 0) committing.add(this);
    else lostAfterCommit();
  }
  return result;
};

net.Socket.prototype.uncork = function () {
  uncork.call(this);
  if (committing.has(this) && this.writableCorked === 0) lostAfterCommit();
};

if (isMainThread) syncBuiltinESMExports();
