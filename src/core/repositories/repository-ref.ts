import { createHash } from 'node:crypto';

/** Types of repository owners, which determine the storage and are read-only while they move. */
export type OwnerType = 'Project' | 'Group' | 'Snippet';

/** Content of a repository. */
export type RepositoryKind = 'code' | 'wiki';

/** Identifies a repository, which need not exist. */
export interface RepositoryRef {
  readonly ownerType: OwnerType;
  readonly ownerId: number;
  readonly kind: RepositoryKind;
}

/** Returns the code repository of a project. */
export const projectRepository = (ownerId: number): RepositoryRef => ({
  ownerType: 'Project',
  ownerId,
  kind: 'code',
});

/** Returns the wiki repository of a project or group. */
export const wikiRepository = (ownerType: 'Project' | 'Group', ownerId: number): RepositoryRef => ({
  ownerType,
  ownerId,
  kind: 'wiki',
});

/** Returns the repository of a snippet. */
export const snippetRepository = (ownerId: number): RepositoryRef => ({
  ownerType: 'Snippet',
  ownerId,
  kind: 'code',
});

/** Names a repository for operators. */
export const describeRepository = ({ ownerType, ownerId, kind }: RepositoryRef): string =>
  `${ownerType.toLowerCase()} ${ownerId}${kind === 'wiki' ? ' (wiki)' : ''}`;

/** Folder of the owners of each type on a storage. */
export const OWNER_FOLDERS: Readonly<Record<OwnerType, string>> = {
  Project: '@hashed',
  Group: '@groups',
  Snippet: '@snippets',
};

/**
 * Returns the path of a repository below the folder of its storage; hashed, so that no user-defined name
 * becomes part of a path.
 */
export function relativePath({ ownerType, ownerId, kind }: RepositoryRef): string {
  const digest = createHash('sha256').update(String(ownerId)).digest('hex');
  const suffix = kind === 'wiki' ? '.wiki.git' : '.git';
  return `${OWNER_FOLDERS[ownerType]}/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}${suffix}`;
}

/** Tables of the owners; each has the columns `repository_storage` and `repository_read_only`. */
export const OWNER_TABLES: Readonly<Record<OwnerType, string>> = {
  Project: 'projects',
  Group: 'namespaces',
  Snippet: 'snippets',
};
