import type { ChildProcess } from 'node:child_process';
import { logger } from '#kernel/log/logger.js';
import type { GitSlot } from '#core/repositories/git/processes/spawn-git.js';
import { killGroup } from '#kernel/processes/process-group.js';
import type { PackEnd } from '../pack-stream.js';
import { Spool, type SpoolBudget } from './spool.js';

/**
 * Bytes at the start that stay in memory for further readers; git is still counting objects while these are
 * sent.
 */
const HEAD_BYTES = 1024 * 1024;
/** Limit of bytes by which git may be ahead of its only reader, or of the disk. */
const AHEAD_BYTES = 256 * 1024;
const AHEAD_OF_DISK_BYTES = 4 * 1024 * 1024;
/** Bytes per read of the file. */
const PIECE_BYTES = 256 * 1024;
/** Limit of readers of a pack: each holds a chunk in memory. */
const MAX_READERS = 64;
const MAX_STDERR = 4_096;

/** A git process that builds a pack, in its slot. */
export interface PackProcess {
  readonly child: ChildProcess;
  readonly slot: Pick<GitSlot, 'isWaitedFor'>;
}

/** Position of a client. */
export interface PackReader {
  at: number;
  isGone: boolean;
}

/**
 * Output of a git process for all equal requests. A single reader gets it directly with backpressure; once
 * there is a second one, everything is written to a file that all read at their own pace. Git is killed when
 * no reader is left.
 */
export class SharedPack {
  /** Settled when git has ended and all its output has arrived. */
  readonly over: Promise<void>;
  private readonly child: ChildProcess;
  private readonly slot: PackProcess['slot'];
  private readonly readers = new Set<PackReader>();
  private readonly sleepers = new Set<() => void>();
  /** Output that is not in the file: from `from` to `to`. */
  private pieces: Buffer[] = [];
  private from = 0;
  private to = 0;
  private spool: Spool | null = null;
  private state: 'direct' | 'spooled' | 'failed' | 'removed' = 'direct';
  private isWriting = false;
  private stderr = '';
  private end: PackEnd | null = null;
  private failure: Error | null = null;

  constructor(
    { child, slot }: PackProcess,
    input: Buffer,
    private readonly budget: SpoolBudget,
    /** Called when there are no readers, and git has ended. */
    private readonly onIdle: () => void,
  ) {
    this.child = child;
    this.slot = slot;
    const { stdin, stdout, stderr } = child as Partial<ChildProcess>;
    stdout?.on('data', (piece: Buffer) => this.take(piece));
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.stderr.length < MAX_STDERR) this.stderr += text;
    });
    // A process that ended early, or whose output cannot be read, is reported by its exit code.
    stdout?.on('error', () => undefined);
    stderr?.on('error', () => undefined);
    stdin?.on('error', () => undefined);
    stdin?.end(input);
    this.over = new Promise((resolve) => {
      const finish = (code: number | null, failure: Error | null): void => {
        this.end ??= { code, stderr: this.stderr, inputError: null };
        this.failure ??= failure;
        this.wake();
        resolve();
        this.tellIfIdle();
      };
      child.once('error', (error) => finish(null, error));
      child.once('close', (code) => finish(code, null));
    });
  }

  /** Whether it can serve later readers: it is complete in the file, and git succeeded. */
  get isKept(): boolean {
    return (
      this.state === 'spooled' && this.from === this.to && this.end?.code === 0 && this.end.stderr === ''
    );
  }

  /** Whether it has no readers. */
  get isIdle(): boolean {
    return this.readers.size === 0;
  }

  /** Result of git. @throws Error if it could not be started */
  get result(): PackEnd {
    if (this.failure) throw this.failure;
    return this.end ?? { code: null, stderr: this.stderr, inputError: null };
  }

  /** Returns whether git waits for this reader, and blocks others. */
  isHeldBy(reader: PackReader): boolean {
    return this.state !== 'spooled' && !this.end && reader.at < this.to && reader.at === this.slowest();
  }

  /** Whether a caller is waiting who could have the slot of git. */
  get isWaitedFor(): boolean {
    return this.slot.isWaitedFor();
  }

  /** Whether it has several readers. */
  get isShared(): boolean {
    return this.readers.size > 1;
  }

  /** Adds a reader from the start; null if the start is gone, or git has failed. */
  join(): PackReader | null {
    const hasBegun = this.state === 'spooled' || (this.state === 'direct' && this.from === 0);
    const isBroken = this.end !== null && !this.isKept;
    if (!hasBegun || isBroken || this.readers.size >= MAX_READERS) return null;
    const reader = { at: 0, isGone: false };
    this.readers.add(reader);
    if (this.readers.size > 1) this.spoolAll();
    return reader;
  }

  /** Switches to writing everything to a file. */
  spoolAll(): void {
    if (this.state !== 'direct' || this.from > 0) return;
    this.state = 'spooled';
    void this.write();
  }

  /** Returns the next bytes for a reader; null if it has everything, or has left. */
  async next(reader: PackReader): Promise<Buffer | null> {
    while (!reader.isGone) {
      const piece = reader.at < this.from ? await this.fromFile(reader.at) : this.fromMemory(reader.at);
      if (piece) {
        reader.at += piece.length;
        this.trim();
        return piece;
      }
      if (this.end) return null;
      await new Promise<void>((resolve) => this.sleepers.add(resolve));
    }
    return null;
  }

  /** Removes a reader; kills git if it was the last one. */
  leave(reader: PackReader): void {
    reader.isGone = true;
    if (!this.readers.delete(reader)) return;
    this.wake();
    if (this.readers.size > 0) this.trim();
    else if (this.end) this.tellIfIdle();
    else {
      this.state = 'removed';
      this.pieces = [];
      this.child.stdout?.resume();
      killGroup(this.child, 'SIGKILL');
    }
  }

  /** Frees disk and memory, when there are no readers. */
  remove(): void {
    this.state = 'removed';
    this.pieces = [];
    this.spool?.remove();
  }

  private take(piece: Buffer): void {
    if (this.state === 'removed') return;
    this.pieces.push(piece);
    this.to += piece.length;
    if (this.state === 'spooled') void this.write();
    this.wake();
    this.trim();
  }

  private async fromFile(at: number): Promise<Buffer> {
    const piece = await this.spool?.read(at, Math.min(PIECE_BYTES, this.from - at));
    if (!piece || piece.length === 0) throw new Error('A shared pack cannot be read');
    return piece;
  }

  private fromMemory(at: number): Buffer | null {
    let begin = this.from;
    for (const piece of this.pieces) {
      if (at < begin + piece.length) return at === begin ? piece : piece.subarray(at - begin);
      begin += piece.length;
    }
    return null;
  }

  /** Writes the buffered output, and what arrives in the meantime. */
  private async write(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    try {
      this.spool ??= await Spool.open(this.budget);
      while (this.state === 'spooled' && this.pieces.length > 0) {
        const pieces = [...this.pieces];
        await this.spool.append(pieces);
        this.drop(pieces.length);
        this.trim();
      }
    } catch (error) {
      // Readers continue with the file, then directly with git's output, at the pace of the slowest.
      if (this.state === 'spooled') this.state = 'failed';
      logger.warn({ error }, 'A pack cannot be shared');
    } finally {
      this.isWriting = false;
    }
    this.trim();
    if (this.state === 'removed') this.spool?.remove();
    this.tellIfIdle();
  }

  private tellIfIdle(): void {
    if (this.end && this.readers.size === 0 && !this.isWriting) this.onIdle();
  }

  /** Drops what all readers have and no new one needs; pauses or resumes git. */
  private trim(): void {
    const isHead = this.state === 'direct' && this.from === 0 && this.to <= HEAD_BYTES;
    if (this.state === 'direct' || this.state === 'failed') {
      const slowest = this.slowest();
      while (!isHead && this.pieces[0] && this.from + this.pieces[0].length <= slowest) this.drop(1);
    }
    const isAhead =
      this.state === 'spooled'
        ? this.to - this.from >= AHEAD_OF_DISK_BYTES
        : this.to - this.slowest() >= AHEAD_BYTES;
    const { stdout } = this.child;
    if (isAhead && this.state !== 'removed') stdout?.pause();
    else if (stdout?.isPaused()) stdout.resume();
  }

  private drop(count: number): void {
    for (const piece of this.pieces.splice(0, count)) this.from += piece.length;
  }

  private slowest(): number {
    let least = this.to;
    for (const { at } of this.readers) least = Math.min(least, at);
    return least;
  }

  private wake(): void {
    for (const wake of this.sleepers) wake();
    this.sleepers.clear();
  }
}
