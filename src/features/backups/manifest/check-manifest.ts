import { isPlainObject, plainObjectOf } from '#kernel/http/plain-object.js';
import { checkKey } from '#kernel/object-storage/object-key.js';
import { BackupProblem } from '../backup-problem.js';
import type { ProgressPart } from '../backup-progress.js';
import type { Manifest } from './manifest.js';

type Is = (value: unknown) => boolean;

const isText: Is = (value) => typeof value === 'string';
const isFlag: Is = (value) => typeof value === 'boolean';
const isCount: Is = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

const matches =
  (pattern: RegExp): Is =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

const either =
  (...choices: readonly Is[]): Is =>
  (value) =>
    choices.some((is) => is(value));

const isNull: Is = (value) => value === null;
const isUndefined: Is = (value) => value === undefined;

const list =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);

/** A list in which nothing comes twice, by this field. */
const listBy =
  (field: string, is: Is): Is =>
  (value) =>
    list(is)(value) &&
    new Set((value as Record<string, unknown>[]).map((one) => one[field])).size ===
      (value as unknown[]).length;

const recordOf =
  (isName: Is, is: Is): Is =>
  (value) =>
    isPlainObject(value) && Object.entries(value).every(([name, one]) => isName(name) && is(one));

const shaped =
  (shape: Readonly<Record<string, Is>>): Is =>
  (value) =>
    isPlainObject(value) && Object.entries(shape).every(([name, is]) => is(value[name]));

const isKey: Is = (value) => {
  try {
    return typeof value === 'string' && checkKey(value) === value;
  } catch {
    return false;
  }
};

const isSalt = either(isNull, matches(/^[0-9a-f]{32}$/));
const isFile = shaped({ key: isKey, size: isCount, sha256: matches(/^[0-9a-f]{64}$/), salt: isSalt });
/** Git checks the rest: what may not happen is that a name ends a line or a command. */
// oxlint-disable-next-line no-control-regex -- control characters are what must not get through
const isRef = matches(/^refs\/[^\u0000-\u0020\u007f]+$/);
const isObjectId = matches(/^([0-9a-f]{40}|[0-9a-f]{64})$/);

const isRepositories = listBy(
  'id',
  shaped({
    id: isCount,
    identity: either(isUndefined, isNull, isText),
    label: isText,
    head: isRef,
    refs: recordOf(isRef, isObjectId),
    packs: list(isFile),
  }),
);
const isObjects = listBy('key', shaped({ key: isKey, file: isFile }));

const isProgress = shaped({ isFull: isFlag, repositories: isRepositories, objects: isObjects });

const isWhole = shaped({
  name: isText,
  release: isText,
  installation: either(isUndefined, isText),
  createdAt: isText,
  finishedAt: isText,
  migrations: list(isText),
  secretsKeys: list(isText),
  storages: list(isText),
  tables: listBy('name', shaped({ name: isText, columns: list(isText), file: isFile })),
  sequences: recordOf(isText, matches(/^-?\d{1,19}$/)),
  repositories: isRepositories,
  objects: isObjects,
  objectsAt: either(isNull, isText),
  findings: list(isText),
});

/**
 * Returns the manifest of a backup. A user who can write where backups without a passphrase are stored can write any manifest: everything that it names
 * is checked before anything is done. @throws BackupProblem if it is not a manifest, or not of this release
 */
export function checkManifest(found: unknown, name: string): Manifest {
  const { format, name: own, release } = plainObjectOf(found) ?? {};
  if (format !== 1 && typeof format === 'number')
    throw new BackupProblem(`${name} is of release ${String(release)}, whose backups this one cannot read`);
  if (format !== 1 || !isWhole(found))
    throw new BackupProblem(`${name} is damaged: its manifest names what no backup holds`);
  if (own !== name) throw new BackupProblem(`${name} is damaged: it holds the manifest of ${String(own)}`);
  return found as Manifest;
}

/** The same for what an unfinished backup has copied: the next one builds on it. @throws BackupProblem */
export function checkProgress(found: unknown, name: string): ProgressPart {
  if (!isProgress(found))
    throw new BackupProblem(`${name} is damaged: its progress names what no backup copies`);
  return found as ProgressPart;
}
