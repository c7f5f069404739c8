import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { flushSync } from '#kernel/disk/durable.js';
import type { Config } from '#kernel/config/config.js';
import { StartProblem } from '#kernel/config/start-problem.js';

/** Whether there is a key already: the first start creates one. */
export const hasSecretsKey = ({
  SECRETS_KEY: key,
  DATA_DIR: data,
}: Pick<Config, 'SECRETS_KEY' | 'DATA_DIR'>): boolean => key !== undefined || existsSync(fileIn(data));

const fileIn = (dataDir: string): string => join(dataDir, 'secrets.key');

/**
 * Returns the key for secrets at rest: SECRETS_KEY, or the one kept in DATA_DIR/secrets.key, which is created
 * on the first start.
 */
export function loadSecretsKey(config: Pick<Config, 'SECRETS_KEY' | 'PROCESS' | 'DATA_DIR'>): string {
  if (config.SECRETS_KEY !== undefined) return config.SECRETS_KEY;
  if (config.PROCESS !== 'all') throw new StartProblem('SECRETS_KEY must be set unless PROCESS=all');
  const file = fileIn(config.DATA_DIR);
  return readKey(file) ?? createKey(config.DATA_DIR, file);
}

function readKey(file: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (text.length < 32) throw new StartProblem(`${file} contains no key; restore it from a backup`);
  return text;
}

/**
 * Written to a temporary file and linked into place: complete or absent, and never over the key of a faster
 * process.
 */
function createKey(folder: string, file: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeSync(descriptor, `${randomBytes(32).toString('base64url')}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    try {
      linkSync(temporary, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    // What is sealed with the key must not outlive it.
    flushSync(folder);
  } finally {
    rmSync(temporary, { force: true });
  }
  const key = readKey(file);
  if (key === undefined) throw new StartProblem(`${file} could not be created`);
  return key;
}
