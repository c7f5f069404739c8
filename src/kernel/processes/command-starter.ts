import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';
import type { Command, CommandHead, CommandListener, OpenCommand, RunningCommand } from './command.js';
import { OpenEnds } from './open-ends.js';
import { startCommand } from './start-command.js';
import type { StarterReport, StarterRequest } from './starter-messages.js';

const PROGRAM = join(PACKAGE_ROOT, 'dist/app/starter.js');

/** The C library creates no heap per thread, so the process stays at some 8 MB of its own. */
const MEMORY = { MALLOC_ARENA_MAX: '1' };

/** After this time without a command the starter exits and frees its memory. */
const IDLE_MS = 60_000;
/**
 * A killed command whose end is not reported within this time counts as ended: something else may keep its
 * output open.
 */
const STUCK_MS = 10_000;

const MAX_ID = 2 ** 32 - 1;

/**
 * Starts commands from a separate process. To start a process, the system copies the tables of its parent,
 * which is blocked until then: 1 ms for one of 50 MB, 6 ms for one of 150 MB, 25 ms for one of 560 MB
 * (measured). No command waits for the starter: until it is ready, and if it is unavailable, commands are
 * children of this process.
 */
export class CommandStarter {
  private starter: ChildProcess | null = null;
  private isReady = false;
  private notBefore = 0;
  private idle: NodeJS.Timeout | undefined;
  private readonly running = new Map<number, CommandListener>();
  /** Open commands, whose end no caller waits for. */
  private readonly open = new Map<number, OpenEnds>();
  /** Children of this process that end with it, by process id. */
  private readonly watched = new Set<number>();
  private lastId = 0;

  constructor(
    private readonly program = PROGRAM,
    private readonly idleMs = IDLE_MS,
    private readonly stuckMs = STUCK_MS,
  ) {}

  /** Starts a command and returns a handle to kill it; if the starter is lost, all its commands fail. */
  start(command: Command, listener: CommandListener): Pick<RunningCommand, 'kill'> {
    const starter = this.ready();
    if (!starter) return this.startHere(command, listener);
    const id = this.number(listener);
    tell(starter, { id, run: command });
    hold(starter, true);
    return { kill: () => this.kill(starter, id) };
  }

  /** Starts a command as a child of this process: it does not fail if the starter is lost. */
  startHere(command: Command, listener: CommandListener): Pick<RunningCommand, 'kill'> {
    return startCommand(command, listener, (child) => {
      if (command.ownGroup && !command.mustFinish) this.watch(child);
    });
  }

  /**
   * Ensures that a child of this process, and all that it starts, end if this process is killed. The child
   * must lead a group.
   */
  watch(child: ChildProcess): void {
    const { pid } = child;
    if (pid === undefined) return;
    clearTimeout(this.idle);
    this.watched.add(pid);
    const starter = this.ready();
    if (starter) tell(starter, { watch: pid });
    child.once('close', () => {
      this.watched.delete(pid);
      if (this.starter && this.isReady) tell(this.starter, { forget: pid });
      this.rest();
    });
  }

  /**
   * Starts a command that is asked and answers until it is killed or the starter exits; null if there is no
   * starter. It does not keep this process alive. What it prints and is sent does not pass through the starter.
   */
  converse(head: CommandHead, listener: CommandListener): OpenCommand | null {
    const starter = this.ready();
    if (!starter) return null;
    const id = this.number(listener);
    const ends = new OpenEnds((piece) => this.running.get(id)?.output(piece));
    this.open.set(id, ends);
    tell(starter, { id, open: head });
    return {
      kill: () => this.kill(starter, id),
      write: (data) => ends.write(data),
    };
  }

  private ready(): ChildProcess | null {
    if (!this.starter && performance.now() >= this.notBefore) {
      try {
        this.starter = this.launch();
      } catch {
        // The system has no memory for it: the command may fail in the same way, but by itself.
        this.notBefore = performance.now() + this.idleMs;
      }
    }
    return this.isReady ? this.starter : null;
  }

  private number(listener: CommandListener): number {
    clearTimeout(this.idle);
    const id = (this.lastId = (this.lastId % MAX_ID) + 1);
    this.running.set(id, listener);
    return id;
  }

  private kill(starter: ChildProcess, id: number): void {
    if (!this.running.has(id) || this.starter !== starter) return;
    tell(starter, { id, kill: true });
    setTimeout(() => {
      if (this.starter === starter) this.finish(starter, id, (listener) => listener.closed(null));
    }, this.stuckMs).unref();
  }

  private launch(): ChildProcess {
    const starter = fork(this.program, {
      // It lives as long as its input is open.
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
      cwd: '/',
      env: MEMORY,
      // The options of this process are for a large one.
      execArgv: [],
    });
    starter.on('message', (report: StarterReport, handle) => {
      if ('end' in report) this.receive(starter, report, handle as Socket | undefined);
      else this.take(starter, report);
    });
    starter.once('error', (error) => this.lose(starter, error));
    starter.once('close', () => this.lose(starter, new Error('The process that starts commands has exited')));
    (starter.stdin as Socket | null)?.on('error', () => undefined).unref();
    hold(starter, false);
    return starter;
  }

  /** Takes one end of an open command, unless the command is over. */
  private receive(
    starter: ChildProcess,
    { id, end }: Extract<StarterReport, { end: string }>,
    socket: Socket | undefined,
  ): void {
    const ends = this.starter === starter ? this.open.get(id) : undefined;
    if (socket && ends) ends.take(end, socket);
    else if (socket) socket.destroy();
    // This process had no free descriptor for it.
    else this.kill(starter, id);
  }

  private take(starter: ChildProcess, report: Exclude<StarterReport, { end: string }>): void {
    if (this.starter !== starter) return;
    if ('ready' in report) {
      this.isReady = true;
      for (const watch of this.watched) tell(starter, { watch });
    } else if ('output' in report) this.running.get(report.id)?.output(report.output);
    else if ('errors' in report) this.running.get(report.id)?.errors(report.errors);
    else if ('closed' in report)
      this.finish(starter, report.id, (listener) => listener.closed(report.closed));
    else this.finish(starter, report.id, (listener) => listener.failed(new Error(report.failed)));
  }

  private finish(starter: ChildProcess, id: number, say: (listener: CommandListener) => void): void {
    const listener = this.running.get(id);
    if (!listener) return;
    this.running.delete(id);
    this.open.get(id)?.close();
    this.open.delete(id);
    if (this.running.size === this.open.size) hold(starter, false);
    this.rest();
    say(listener);
  }

  /** Once it is no longer needed, the starter may exit after a while. */
  private rest(): void {
    if (this.running.size > 0 || this.watched.size > 0) return;
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.dismiss(), this.idleMs).unref();
  }

  private dismiss(): void {
    this.starter?.stdin?.destroy();
    this.starter?.disconnect();
    this.starter = null;
    this.isReady = false;
  }

  private lose(starter: ChildProcess, error: Error): void {
    if (this.starter !== starter) return;
    // If the starter does not even start, it is not retried for each command.
    if (!this.isReady) this.notBefore = performance.now() + this.idleMs;
    this.starter = null;
    this.isReady = false;
    const lost = [...this.running.values()];
    this.running.clear();
    for (const ends of this.open.values()) ends.close();
    this.open.clear();
    for (const listener of lost) listener.failed(error);
  }
}

/** Its exit event reports that it is gone. */
function tell(starter: ChildProcess, request: StarterRequest): void {
  if (starter.connected) starter.send(request, () => undefined);
}

/** Whether it keeps our own process alive: only while a caller waits for a command. */
function hold(starter: ChildProcess, isHeld: boolean): void {
  const change = isHeld ? 'ref' : 'unref';
  starter[change]();
  starter.channel?.[change]();
}
