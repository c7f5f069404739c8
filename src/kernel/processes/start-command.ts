import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Command, CommandListener, RunningCommand } from './command.js';
import { giveWay, killGroup } from './process-group.js';

const NOTHING: RunningCommand = { kill: () => undefined, read: () => undefined, write: () => undefined };

/** Starts a command as a child of this process; `begun` receives the child. */
export function startCommand(
  command: Command,
  listener: CommandListener,
  begun?: (child: ChildProcess) => void,
): RunningCommand {
  const child = spawned(command);
  if (child instanceof Error) {
    // Not before the caller knows its command.
    process.nextTick(() => listener.failed(child));
    return NOTHING;
  }
  child.once('error', (error) => listener.failed(error));
  // Without free descriptors in this process, the child has no streams.
  if (!(child.stdout as Readable | undefined)) return NOTHING;
  begun?.(child);
  giveWay(child, command.niceness ?? 0);
  child.stdout.on('data', (piece: Buffer) => listener.output(piece));
  child.stderr.setEncoding('utf8').on('data', (text: string) => listener.errors(text));
  child.once('close', (code) => listener.closed(code));
  // A process that ends before reading all its input reports that by its exit code.
  child.stdin.on('error', () => undefined);
  if (command.isOpen) child.stdin.write(command.input);
  else child.stdin.end(command.input);
  // What must finish holds locks, which it removes when it is asked to end.
  const signal = command.mustFinish === true ? 'SIGTERM' : 'SIGKILL';
  return {
    kill: () => {
      if (command.ownGroup) killGroup(child, signal);
      else child.kill(signal);
    },
    read: (isRead) => {
      for (const stream of [child.stdout, child.stderr]) stream[isRead ? 'resume' : 'pause']();
    },
    write: (data) => void child.stdin.write(data),
  };
}

/** Returns the error instead of throwing it: arguments that are too long must not end the starter, and with it all other commands. */
function spawned(command: Command): ChildProcessWithoutNullStreams | Error {
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
