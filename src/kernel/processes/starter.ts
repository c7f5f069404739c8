// The starter: a process that is small and therefore quick to copy. It starts the commands that are asked for on its standard input and hands on
// what they write; see `CommandStarter`. It has no purpose without whoever asks, and leaves with it.
import { frame, FrameReader, Kind } from './frames.js';
import type { CommandHead, RunningCommand } from './command.js';
import { startCommand } from './start-command.js';

const running = new Map<number, RunningCommand>();

/** What nobody takes yet must not gather here. */
function readAll(isRead: boolean): void {
  for (const command of running.values()) command.read(isRead);
}

function run(id: number, content: Buffer): void {
  const end = 4 + content.readUInt32LE(0);
  const head = JSON.parse(content.toString('utf8', 4, end)) as CommandHead;
  const tell = (kind: number, said?: Buffer | string): void => {
    if (!process.stdout.write(frame(kind, id, said))) readAll(false);
  };
  const finish = (kind: number, said: string): void => {
    if (running.delete(id)) tell(kind, said);
  };
  const command = startCommand(
    { ...head, input: content.subarray(end) },
    {
      output: (piece) => tell(Kind.Output, piece),
      errors: (text) => tell(Kind.Errors, text),
      closed: (code) => finish(Kind.Closed, String(code ?? '')),
      failed: (error) => finish(Kind.Failed, error.message),
    },
  );
  running.set(id, command);
}

const reader = new FrameReader((kind, id, content) => {
  if (kind === Kind.Run) run(id, content);
  else if (kind === Kind.Input) running.get(id)?.write(content);
  else running.get(id)?.kill();
});

// Signals of a terminal reach the whole group, but whoever asks still finishes what it has begun.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdout.on('drain', () => readAll(true));
process.stdout.on('error', () => process.exit());
process.stdin.on('data', (chunk: Buffer) => reader.push(chunk));
process.stdin.on('close', () => process.exit());
process.stdout.write(frame(Kind.Ready, 0));
