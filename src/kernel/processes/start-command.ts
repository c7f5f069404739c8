import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Command, CommandHead, CommandListener, RunningCommand } from './command.js';
import { giveWay, killGroup } from './process-group.js';

const NOTHING: RunningCommand = { kill: () => undefined, read: () => undefined };

/** Starts a command as a child of this process; `begun` receives the child. */
export function startCommand(
  command: Command,
  listener: CommandListener,
  begun?: (child: ChildProcess) => void,
): RunningCommand {
  const child = begin(command, listener);
  if (!child) return NOTHING;
  begun?.(child);
  child.stdout.on('data', (piece: Buffer) => listener.output(piece));
  child.stderr.setEncoding('utf8').on('data', (text: string) => listener.errors(text));
  child.once('close', (code) => listener.closed(code));
  // A process that ends before reading all its input reports that by its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.end(command.input);
  return {
    kill: () => kill(child, command),
    read: (isRead) => {
      for (const stream of [child.stdout, child.stderr]) stream[isRead ? 'resume' : 'pause']();
    },
  };
}

/**
 * Starts a command whose input and output someone else holds: `begun` receives the child, whose streams nobody
 * reads here. Its end is reported when it exits.
 */
export function startOpenCommand(
  command: CommandHead,
  listener: Pick<CommandListener, 'closed' | 'failed'>,
  begun: (child: ChildProcessWithoutNullStreams) => void,
): RunningCommand {
  const child = begin(command, listener);
  if (!child) return NOTHING;
  child.once('exit', (code) => listener.closed(code));
  begun(child);
  return { kill: () => kill(child, command), read: () => undefined };
}

/** Returns null if it cannot be started, which is reported to the listener. */
function begin(
  command: CommandHead,
  listener: Pick<CommandListener, 'failed'>,
): ChildProcessWithoutNullStreams | null {
  const child = spawned(command);
  if (child instanceof Error) {
    // Not before the caller knows its command.
    process.nextTick(() => listener.failed(child));
    return null;
  }
  child.once('error', (error) => listener.failed(error));
  // Without free descriptors in this process, the child has no streams.
  if (!(child.stdout as Readable | undefined)) return null;
  giveWay(child, command.niceness ?? 0);
  return child;
}

function kill(child: ChildProcess, { ownGroup, mustFinish }: CommandHead): void {
  // What must finish holds locks, which it removes when it is asked to end.
  const signal = mustFinish === true ? 'SIGTERM' : 'SIGKILL';
  if (ownGroup) killGroup(child, signal);
  else child.kill(signal);
}

/** Returns the error instead of throwing it: arguments that are too long must not end the starter, and with it all other commands. */
function spawned(command: CommandHead): ChildProcessWithoutNullStreams | Error {
  try {
    return spawn(command.program, command.args, {
      cwd: '/',
      env: command.env,
      stdio: 'pipe',
      shell: false,
      detached: command.ownGroup,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
