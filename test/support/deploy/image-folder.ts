import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The content of /app by docker/Dockerfile, and its start command; Node and Debian are those of this machine.
 */
export interface ImageFolder {
  readonly app: string;
  /** Its ENV. */
  readonly env: Readonly<Record<string, string>>;
  /** Its CMD, without tini before it. */
  readonly command: readonly string[];
  remove(): void;
}

/** Creates it from the build of this checkout. */
export async function makeImageFolder(...options: readonly string[]): Promise<ImageFolder> {
  const app = mkdtempSync(join(tmpdir(), 'forgeplane-image-'));
  await promisify(execFile)(process.execPath, ['scripts/image.mjs', app, ...options]);
  chmodSync(app, 0o755);
  const [stage = ''] = readFileSync('docker/Dockerfile', 'utf8')
    .split(/^FROM /m)
    .slice(-1);
  const env = Object.fromEntries(
    [...stage.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) => line.split(' ').map(pairOf)),
  );
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(stage)?.[1] ?? '[]') as string[];
  return { app, env, command, remove: () => rmSync(app, { recursive: true, force: true }) };
}

const pairOf = (text: string): [string, string] => {
  const [name = '', ...rest] = text.split('=');
  return [name, rest.join('=')];
};
