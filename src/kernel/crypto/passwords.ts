import { argon2id, needsRehash } from 'argon2';
import { availableParallelism } from 'node:os';
import { HashTurns } from './hash-turns.js';
import { PasswordWork } from './password-work.js';

/** The default of `Config`. */
let cost = { type: argon2id, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Longer passwords are rejected before they cost anything. */
const MAX_PASSWORD_BYTES = 1024;

// A hash saturates a core, and its effect on the caches slows down the other cores. So concurrent hashes get
// half of the cores a third of the time (measured: p99 of a list during 50 sign-ins), and memory is limited
// to one hash per slot. Behind 200 others of its caller it is better to answer that it should retry.
const turns = new HashTurns({ width: Math.max(1, Math.floor(availableParallelism() / 2)), waiting: 400 }, 2);

const elsewhere = new PasswordWork();

let dummyDigest: Promise<string> | undefined;

const hash = async (password: string): Promise<string> =>
  (await elsewhere.run({ does: 'hash', values: [password, cost] })) as string;

const verify = async (digest: string, password: string): Promise<boolean> =>
  (await elsewhere.run({ does: 'verify', values: [digest, password] })) as boolean;

/** Sets the memory cost of a hash in this process, in KiB: `PASSWORD_MEMORY_KIB` of the configuration. */
export function configurePasswords(memoryKib: number): void {
  if (memoryKib === cost.memoryCost) return;
  cost = { ...cost, memoryCost: memoryKib };
  dummyDigest = undefined;
}

/** Hashes a password slowly; the digest includes parameters and salt. */
export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) throw new RangeError('The password is too long');
  return turns.run(() => hash(password));
}

/** Whether the password matches the stored digest; false, at the same cost, if the digest is invalid. */
export async function verifyPassword(digest: string, password: string): Promise<boolean> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return verifyDummy();
  if (!digest.startsWith('$argon2id$')) return verifyDummy();
  return turns.run(() => verify(digest, password));
}

/**
 * Whether the digest was made with weaker parameters than the current ones and should be renewed at the next
 * sign-in.
 */
export function isPasswordOutdated(digest: string): boolean {
  return needsRehash(digest, cost);
}

/**
 * Costs as much as verifyPassword and always returns false: for users that do not exist, so that timing
 * reveals nothing.
 */
export async function verifyDummy(): Promise<false> {
  dummyDigest ??= hashPassword('nobody');
  const digest = await dummyDigest.catch((error: unknown) => {
    dummyDigest = undefined;
    throw error;
  });
  await turns.run(() => verify(digest, 'somebody'));
  return false;
}
