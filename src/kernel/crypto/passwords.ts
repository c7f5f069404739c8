import { argon2id, needsRehash } from 'argon2';
import { availableParallelism } from 'node:os';
import { Gate } from './gate.js';
import { PasswordWork } from './password-work.js';

const COST = { type: argon2id, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** Longer ones are refused before they cost anything. */
const MAX_PASSWORD_BYTES = 1024;

// A hash saturates a core, and what it does to the caches slows the other cores: many together get half of the cores a third of the time (measured:
// p99 of a list beside 50 sign-ins), and memory is bounded to 19 MiB a slot. Someone who waits behind 200 others is better told to come back.
const gate = new Gate(Math.max(1, Math.floor(availableParallelism() / 2)), 200, 2);

const elsewhere = new PasswordWork();

const hash = async (password: string): Promise<string> =>
  (await elsewhere.run({ does: 'hash', values: [password, COST] })) as string;

const verify = async (digest: string, password: string): Promise<boolean> =>
  (await elsewhere.run({ does: 'verify', values: [digest, password] })) as boolean;

/** Slow digest of a password, with its parameters and salt, for storage. */
export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) throw new RangeError('The password is too long');
  return gate.run(() => hash(password));
}

/** Whether the password is the one of the stored digest; false, at the same cost, for one that cannot be read. */
export async function verifyPassword(digest: string, password: string): Promise<boolean> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return verifyDummy();
  if (!digest.startsWith('$argon2id$')) return verifyDummy();
  return gate.run(() => verify(digest, password));
}

/** Whether the digest was made with weaker parameters than today's and should be renewed at the next sign-in. */
export function isPasswordOutdated(digest: string): boolean {
  return needsRehash(digest, COST);
}

let dummyDigest: Promise<string> | undefined;

/** Costs as much as verifyPassword and is always false: for users that do not exist, so that time tells nothing. */
export async function verifyDummy(): Promise<false> {
  dummyDigest ??= hashPassword('nobody');
  const digest = await dummyDigest.catch((error: unknown) => {
    dummyDigest = undefined;
    throw error;
  });
  await gate.run(() => verify(digest, 'somebody'));
  return false;
}
