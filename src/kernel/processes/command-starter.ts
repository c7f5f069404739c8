import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';
import type { Command, CommandHead, CommandListener, RunningCommand } from './command.js';
import { frame, FrameReader, Kind } from './frames.js';
import { startCommand } from './start-command.js';

type Starter = ChildProcessByStdio<Writable, Readable, null>;

const PROGRAM = join(PACKAGE_ROOT, 'dist/app/starter.js');

/** The C library makes no heap for each thread: the process stays at some 8 MB of its own. */
const MEMORY = { MALLOC_ARENA_MAX: '1' };

/** After this time without a command the starter ends, and its memory is free again. */
const IDLE_MS = 60_000;
/** A killed command whose end nobody tells of within this time counts as ended: something else may hold its output open. */
const STUCK_MS = 10_000;

const MAX_ID = 2 ** 32 - 1;

/**
 * Starts commands from a process of its own. The system copies the tables of a process to start another one, while nothing else goes on there:
 * 1 ms in one of 50 MB, 6 ms in one of 150 MB, 25 ms in one of 560 MB (measured). Nobody waits for the starter: until it is there, and where it
 * cannot be had, commands are children of this process.
 */
export class CommandStarter {
  private starter: Starter | null = null;
  private isReady = false;
  private notBefore = 0;
  private idle: NodeJS.Timeout | undefined;
  private readonly running = new Map<number, CommandListener>();
  /** Those of them that stay without work: nobody waits for their end. */
  private readonly open = new Set<number>();
  private lastId = 0;

  constructor(
    private readonly program = PROGRAM,
    private readonly idleMs = IDLE_MS,
    private readonly stuckMs = STUCK_MS,
  ) {}

  /** Starts a command and returns what ends it; the starter's loss is a failure of all that it runs. */
  start(command: Command, listener: CommandListener): Pick<RunningCommand, 'kill'> {
    const starter = this.ready();
    if (!starter) return startCommand(command, listener);
    const id = this.run(starter, command, listener);
    hold(starter, true);
    return { kill: () => this.kill(starter, id) };
  }

  /**
   * Starts a command that is told more, and stays until it is ended or the starter is gone; null while there is no starter. It does not keep
   * this process alive.
   */
  converse(head: CommandHead, listener: CommandListener): Pick<RunningCommand, 'kill' | 'write'> | null {
    const starter = this.ready();
    if (!starter) return null;
    const id = this.run(starter, { ...head, isOpen: true, input: '' }, listener);
    this.open.add(id);
    return {
      kill: () => this.kill(starter, id),
      write: (data) => {
        if (this.running.has(id) && this.starter === starter)
          starter.stdin.write(frame(Kind.Input, id, data));
      },
    };
  }

  private ready(): Starter | null {
    if (!this.starter && performance.now() >= this.notBefore) this.starter = this.launch();
    return this.isReady ? this.starter : null;
  }

  private run(starter: Starter, command: Command, listener: CommandListener): number {
    clearTimeout(this.idle);
    const id = (this.lastId = (this.lastId % MAX_ID) + 1);
    this.running.set(id, listener);
    starter.stdin.write(frame(Kind.Run, id, contentOf(command)));
    return id;
  }

  private kill(starter: Starter, id: number): void {
    if (!this.running.has(id) || this.starter !== starter) return;
    starter.stdin.write(frame(Kind.Kill, id));
    setTimeout(() => {
      if (this.starter === starter && this.running.has(id)) this.finish(starter, Kind.Closed, id, '');
    }, this.stuckMs).unref();
  }

  private launch(): Starter {
    const starter = spawn(process.execPath, [this.program], {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: '/',
      env: MEMORY,
    });
    const reader = new FrameReader((kind, id, content) => this.take(starter, kind, id, content));
    starter.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    // That it is gone is told by its end.
    starter.stdin.on('error', () => undefined);
    starter.once('error', (error) => this.lose(starter, error));
    starter.once('close', () => this.lose(starter, new Error('The process that starts commands has ended')));
    hold(starter, false);
    return starter;
  }

  private take(starter: Starter, kind: number, id: number, content: Buffer): void {
    if (this.starter !== starter) return;
    if (kind === Kind.Ready) this.isReady = true;
    const listener = this.running.get(id);
    if (kind === Kind.Output) listener?.output(content);
    else if (kind === Kind.Errors) listener?.errors(content.toString());
    else this.finish(starter, kind, id, content.toString());
  }

  private finish(starter: Starter, kind: number, id: number, said: string): void {
    const listener = this.running.get(id);
    this.running.delete(id);
    this.open.delete(id);
    if (this.running.size === this.open.size) hold(starter, false);
    if (this.running.size === 0) {
      clearTimeout(this.idle);
      this.idle = setTimeout(() => this.dismiss(), this.idleMs).unref();
    }
    if (kind === Kind.Closed) listener?.closed(said === '' ? null : Number(said));
    else if (kind === Kind.Failed) listener?.failed(new Error(said));
  }

  private dismiss(): void {
    this.starter?.stdin.end();
    this.starter = null;
    this.isReady = false;
  }

  private lose(starter: Starter, error: Error): void {
    if (this.starter !== starter) return;
    // One that does not even begin is not tried again with each command.
    if (!this.isReady) this.notBefore = performance.now() + this.idleMs;
    this.starter = null;
    this.isReady = false;
    const lost = [...this.running.values()];
    this.running.clear();
    this.open.clear();
    for (const listener of lost) listener.failed(error);
  }
}

function contentOf({ input, ...head }: Command): Buffer {
  const json = JSON.stringify(head);
  const content = Buffer.allocUnsafe(4 + Buffer.byteLength(json) + Buffer.byteLength(input));
  const end = 4 + content.write(json, 4);
  content.writeUInt32LE(end - 4, 0);
  if (typeof input === 'string') content.write(input, end);
  else input.copy(content, end);
  return content;
}

/** Whether our own process stays for it: only while somebody waits for a command. */
function hold(starter: Starter, isHeld: boolean): void {
  const change = isHeld ? 'ref' : 'unref';
  starter[change]();
  for (const stream of [starter.stdin, starter.stdout]) (stream as Partial<Socket>)[change]?.();
}
