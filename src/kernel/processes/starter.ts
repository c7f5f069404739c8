// The starter: a process that is small and therefore quick to fork. It starts commands on request and passes
// on their output; see `CommandStarter`. It exits together with its parent, and ends the commands that the
// parent was waiting for: if the parent was killed, no other process would end them.
import type { SendHandle } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Command, CommandHead, CommandListener, RunningCommand } from './command.js';
import { killGroup } from './process-group.js';
import { startCommand, startOpenCommand } from './start-command.js';
import type { StarterReport, StarterRequest } from './starter-messages.js';

const running = new Map<number, { readonly command: RunningCommand; readonly mustFinish: boolean }>();

/** Process ids of children of the parent that end with it. */
const watched = new Set<number>();

let isAlone = false;

/** What a parent that is gone has sent is read within this time. */
const UNREAD_MS = 1_000;

/** Number of messages not sent yet: from the first one that has to wait, commands are no longer read. */
let waiting = 0;
let isFull = false;

function tell(report: StarterReport, handle?: SendHandle): void {
  if (isAlone) return;
  waiting += 1;
  const isTaken = process.send?.(report, handle, undefined, told);
  if (isTaken === false && !isFull) readAll(false);
}

function told(): void {
  waiting -= 1;
  if (waiting === 0 && isFull) readAll(true);
}

/** Unsent output must not accumulate here. */
function readAll(isRead: boolean): void {
  isFull = !isRead;
  for (const { command } of running.values()) command.read(isRead);
}

function run(id: number, asked: Command): void {
  const command = startCommand(asked, {
    output: (output) => tell({ id, output }),
    errors: (errors) => tell({ id, errors }),
    ...endOf(id),
  });
  if (isFull) command.read(false);
  running.set(id, { command, mustFinish: asked.mustFinish === true });
}

/**
 * The parent talks to an open command directly. Its output goes first: this process may already read it, but
 * nothing comes before the parent can send input.
 */
function open(id: number, asked: CommandHead): void {
  const command = startOpenCommand(asked, endOf(id), ({ stdout, stdin, stderr }) => {
    tell({ id, end: 'output' }, stdout as Socket);
    tell({ id, end: 'input' }, stdin as Socket);
    stderr.resume();
  });
  running.set(id, { command, mustFinish: asked.mustFinish === true });
}

function endOf(id: number): Pick<CommandListener, 'closed' | 'failed'> {
  const finish = (report: StarterReport): void => {
    if (!running.delete(id)) return;
    tell(report);
    if (isAlone) leave();
  };
  return {
    closed: (closed) => finish({ id, closed }),
    failed: ({ message }) => finish({ id, failed: message }),
  };
}

/** The parent is gone: what it said last is read first, as it may name a child to end. */
function endOnceRead(latest: number): void {
  if (process.connected && performance.now() < latest) setTimeout(() => endOnceRead(latest), 10);
  else endAll();
}

/** Ends everything except the commands that must finish, and exits after these. */
function endAll(): void {
  isAlone = true;
  for (const pid of watched) killGroup({ pid }, 'SIGKILL');
  for (const { command, mustFinish } of running.values()) if (!mustFinish) command.kill();
  readAll(true);
  leave();
}

function leave(): void {
  if (![...running.values()].some(({ mustFinish }) => mustFinish)) process.exit();
}

// Terminal signals reach the whole group, but the parent still finishes what it has begun.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Not at 'disconnect': Node never emits it if the parent is lost while it has not acknowledged an end.
process.stdin
  .on('error', () => undefined)
  .on('close', () => endOnceRead(performance.now() + UNREAD_MS))
  .resume();
process.on('message', (request: StarterRequest) => {
  if ('run' in request) run(request.id, request.run);
  else if ('open' in request) open(request.id, request.open);
  else if ('kill' in request) running.get(request.id)?.command.kill();
  else if ('watch' in request) watched.add(request.watch);
  else watched.delete(request.forget);
});
tell({ ready: true });
