import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { BackupProblem } from './backup-problem.js';

const CHUNK = 64 * 1024;
const TAG = 16;
/** Random part of a nonce, which also contains the number of the chunk and whether it is the last. */
const PREFIX = 7;
const ALGORITHM = 'aes-256-gcm';
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

/** Keys of a backup: one encrypts its files, one authenticates its manifest. */
export interface BackupKeys {
  readonly file: Buffer;
  readonly manifest: Buffer;
}

/** Generates the salt of a new backup, in hexadecimal. */
export const newSalt = (): string => randomBytes(16).toString('hex');

/** Derives the keys from a passphrase (scrypt, about a tenth of a second). */
export function deriveKeys(passphrase: string, salt: string): BackupKeys {
  const bytes = scryptSync(passphrase, Buffer.from(salt, 'hex'), 64, SCRYPT);
  return { file: bytes.subarray(0, 32), manifest: bytes.subarray(32) };
}

/** Computes the HMAC-SHA256 of a text in hexadecimal. */
export const macOf = (keys: BackupKeys, text: string): string =>
  createHmac('sha256', keys.manifest).update(text).digest('hex');

function nonceOf(prefix: Buffer, chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  prefix.copy(nonce);
  nonce.writeUInt32BE(chunk, PREFIX);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/**
 * Splits a stream into chunks of `size` bytes and marks the last one, which may be shorter, and empty only if
 * everything is.
 */
abstract class Chunked extends Transform {
  private held: Buffer[] = [];
  private length = 0;
  private chunk = 0;

  constructor(private readonly size: number) {
    super();
  }

  protected abstract turn(piece: Buffer, chunk: number, isLast: boolean): Buffer;

  override _transform(data: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.held.push(data);
    this.length += data.length;
    if (this.length <= this.size) {
      done();
      return;
    }
    this.attempt(done, () => {
      let all = Buffer.concat(this.held);
      for (; all.length > this.size; all = all.subarray(this.size))
        this.emitPiece(all.subarray(0, this.size), false);
      this.held = [all];
      this.length = all.length;
    });
  }

  override _flush(done: TransformCallback): void {
    this.attempt(done, () => this.emitPiece(Buffer.concat(this.held), true));
  }

  private emitPiece(piece: Buffer, isLast: boolean): void {
    this.push(this.turn(piece, this.chunk, isLast));
    this.chunk += 1;
  }

  private attempt(done: TransformCallback, work: () => void): void {
    try {
      work();
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}

/**
 * Encrypts a file in chunks, each bound to its position and to the name of the file, the last one to being
 * the last.
 */
export class Encrypt extends Chunked {
  private readonly prefix = randomBytes(PREFIX);

  constructor(
    private readonly key: Buffer,
    private readonly name: string,
  ) {
    super(CHUNK);
    this.push(this.prefix);
  }

  protected turn(piece: Buffer, chunk: number, isLast: boolean): Buffer {
    const cipher = createCipheriv(ALGORITHM, this.key, nonceOf(this.prefix, chunk, isLast));
    cipher.setAAD(Buffer.from(this.name));
    return Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Decrypts it. Fails if anything was changed, removed, moved or truncated. */
export class Decrypt extends Chunked {
  private prefix: Buffer | undefined;
  private head = Buffer.alloc(0);

  constructor(
    private readonly key: Buffer,
    private readonly name: string,
  ) {
    super(CHUNK + TAG);
  }

  override _transform(data: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    if (this.prefix) {
      super._transform(data, encoding, done);
      return;
    }
    this.head = Buffer.concat([this.head, data]);
    if (this.head.length < PREFIX) {
      done();
      return;
    }
    this.prefix = this.head.subarray(0, PREFIX);
    super._transform(this.head.subarray(PREFIX), encoding, done);
  }

  protected turn(piece: Buffer, chunk: number, isLast: boolean): Buffer {
    const damaged = new BackupProblem(`${this.name} is damaged, or the passphrase is another one`);
    if (!this.prefix || piece.length < TAG) throw damaged;
    const decipher = createDecipheriv(ALGORITHM, this.key, nonceOf(this.prefix, chunk, isLast));
    decipher.setAAD(Buffer.from(this.name));
    decipher.setAuthTag(piece.subarray(piece.length - TAG));
    try {
      return Buffer.concat([decipher.update(piece.subarray(0, piece.length - TAG)), decipher.final()]);
    } catch {
      throw damaged;
    }
  }
}
