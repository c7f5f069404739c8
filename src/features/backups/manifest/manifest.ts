import type { Table } from '#kernel/database/copy/tables.js';

/** A stored file of a backup: compressed, and encrypted if there is a passphrase. */
export interface StoredFile {
  /** Key below the target, `BACKUP/...`: of this backup, or of an earlier one that it builds on. */
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  /** Salt of the passphrase with which it was written. */
  readonly salt: string | null;
}

/** A table and the file with its rows. */
export interface TableEntry extends Table {
  readonly file: StoredFile;
}

/** A repository: packs that build on each other, and its refs. */
export interface RepositoryEntry {
  readonly id: number;
  /** Which repository had this id: a later one may have it by now. Undefined in backups of 1.0.0-rc.2 and older. */
  readonly identity?: string | null;
  readonly label: string;
  readonly head: string;
  /** Object ids by ref. */
  readonly refs: Readonly<Record<string, string>>;
  readonly packs: readonly StoredFile[];
}

/** An object of the object storage. */
export interface ObjectEntry {
  readonly key: string;
  readonly file: StoredFile;
}

/** Content of a backup. It is written last: without it the backup does not exist. */
export interface Manifest {
  readonly format: 1;
  readonly name: string;
  readonly release: string;
  /** Mark of the installation; undefined in backups of 1.0.0-rc.2 and older. */
  readonly installation?: string;
  readonly createdAt: string;
  readonly finishedAt: string;
  /** Names of the migrations of its schema. */
  readonly migrations: readonly string[];
  /** Digests of the keys (SECRETS_KEY) of its sealed secrets. */
  readonly secretsKeys: readonly string[];
  /** Storages of its repositories. */
  readonly storages: readonly string[];
  readonly tables: readonly TableEntry[];
  /** Last values of all used sequences. */
  readonly sequences: Readonly<Record<string, string>>;
  readonly repositories: readonly RepositoryEntry[];
  readonly objects: readonly ObjectEntry[];
  /** Location of objects that are not copied: a bucket with its own backup. */
  readonly objectsAt: string | null;
  /** Messages about what could not be copied. */
  readonly findings: readonly string[];
}

/** Returns all files of a backup, including those of earlier ones. */
export const filesOf = ({ tables, repositories, objects }: Manifest): StoredFile[] => [
  ...tables.map(({ file }) => file),
  ...repositories.flatMap(({ packs }) => packs),
  ...objects.map(({ file }) => file),
];
