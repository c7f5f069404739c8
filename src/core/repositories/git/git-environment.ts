import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';
import { PROGRAM_PATH } from '#kernel/config/program-path.js';

/** Hooks of this service, the same for all repositories; hooks inside of repositories never run. */
const HOOKS = join(PACKAGE_ROOT, 'hooks');
try {
  accessSync(join(HOOKS, 'pre-receive'), constants.X_OK);
} catch {
  throw new Error('hooks/pre-receive is missing or not executable: without it, git would accept every push');
}

/** Internal refs. */
const HIDDEN = ['refs/environments', 'refs/keep-around', 'refs/imports'];
/** Runners and clients may fetch these refs, but not push them. */
const UNPUSHED = ['refs/pipelines', 'refs/merge-requests'];

/** Returns whether a ref or folder of refs is hidden from pushes. */
export const isHiddenFromPushes = (name: string): boolean =>
  [...HIDDEN, ...UNPUSHED].some((folder) => name === folder || name.startsWith(`${folder}/`));

/**
 * Harmless errors of old programs in objects, which pushes and migrations take over: in git's terms. Git reads
 * such objects, and checks their names and links all the same; of a line with an author, it ignores the rest.
 */
export const TOLERATED_ERRORS = [
  'badTimezone',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'zeroPaddedFilemode',
] as const;

/**
 * Options for every call, which override a repository's own configuration. They keep the memory of a process
 * within about 300 MB.
 */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['safe.directory', '*'],
  ['core.hooksPath', HOOKS],
  // Newer versions of git read attributes from the tree of HEAD, which must not have an effect here. This is
  // the empty tree.
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
  // They are not damage, and a clone of what a migration has brought can be pushed.
  ...TOLERATED_ERRORS.flatMap((error) =>
    ['fsck', 'receive.fsck'].map((checks) => [`${checks}.${error}`, 'ignore'] as const),
  ),
  ['receive.denyDeletes', 'false'],
  ['receive.denyNonFastForwards', 'false'],
  ['receive.denyDeleteCurrent', 'ignore'],
  ['receive.advertisePushOptions', 'true'],
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
  // With all others git looks at each path: a few small trees in each other have any number of them.
  ['uploadpackfilter.allow', 'false'],
  ...['blob:none', 'blob:limit', 'object:type', 'tree'].map(
    (filter) => [`uploadpackfilter.${filter}.allow`, 'true'] as const,
  ),
  // It looks at a tree again wherever it is less deep; clients ask for one or two levels.
  ['uploadpackfilter.tree.maxDepth', '100'],
  ...HIDDEN.map((folder) => ['transfer.hideRefs', folder] as const),
  ...UNPUSHED.map((folder) => ['receive.hideRefs', folder] as const),
  ['protocol.allow', 'never'],
];

/**
 * The complete environment of a git process: nothing from this process, no system or user configuration, no
 * prompts, no replaced objects.
 */
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
