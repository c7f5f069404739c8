import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Computes the SHA-256 of a file. */
export async function fileDigest(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
