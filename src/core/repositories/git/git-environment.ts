import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';
import { PROGRAM_PATH } from '#kernel/config/program-path.js';

/** Hooks of ours, the same for every repository; nothing that lies in a repository is ever run. */
const HOOKS = join(PACKAGE_ROOT, 'hooks');
try {
  accessSync(join(HOOKS, 'pre-receive'), constants.X_OK);
} catch {
  throw new Error('hooks/pre-receive is missing or cannot be run: without it git would take every push');
}

/** Refs of our own. */
const HIDDEN = ['refs/environments', 'refs/keep-around'];
/** Runners and clients fetch them; nobody pushes them. */
const UNPUSHED = ['refs/pipelines', 'refs/merge-requests'];

/** Whether those who push are not told of a ref, or of a folder of refs. */
export const isHiddenFromPushes = (name: string): boolean =>
  [...HIDDEN, ...UNPUSHED].some((folder) => name === folder || name.startsWith(`${folder}/`));

/** Options in force for every call, whatever a repository's own file says. Memory of one process stays within some 300 MB. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['safe.directory', '*'],
  ['core.hooksPath', HOOKS],
  // Newer versions of git look for attributes in the tree of HEAD: those of users mean nothing here. This is the tree without files.
  ['attr.tree', '4b825dc642cb6eb9a060e54bf8d69288fbee4904'],
  ['core.alternateRefsCommand', 'true'],
  ['core.fsync', 'objects,pack-metadata,reference'],
  ['core.packedGitLimit', '128m'],
  ['core.packedGitWindowSize', '16m'],
  ['core.deltaBaseCacheLimit', '32m'],
  ['core.bigFileThreshold', '16m'],
  ['pack.windowMemory', '64m'],
  ['pack.deltaCacheSize', '32m'],
  ['pack.threads', '1'],
  ['pack.writeBitmapHashCache', 'true'],
  ['repack.writeBitmaps', 'true'],
  ['gc.auto', '0'],
  ['receive.autogc', 'false'],
  ['receive.fsckObjects', 'true'],
  ['receive.denyDeletes', 'false'],
  ['receive.denyNonFastForwards', 'false'],
  ['receive.denyDeleteCurrent', 'ignore'],
  ['receive.advertisePushOptions', 'true'],
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
  ...HIDDEN.map((folder) => ['transfer.hideRefs', folder] as const),
  ...UNPUSHED.map((folder) => ['receive.hideRefs', folder] as const),
  ['protocol.allow', 'never'],
];

/** The whole environment of a git process: nothing of ours gets in, no system or user configuration, no prompts, no replaced objects. */
export const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: PROGRAM_PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_CONFIG_COUNT: String(SETTINGS.length),
  ...Object.fromEntries(
    SETTINGS.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};
