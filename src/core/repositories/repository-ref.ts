import { createHash } from 'node:crypto';

/** Whose a repository is; on whose storage it lies, and who is read-only while it moves. */
export type OwnerType = 'Project' | 'Group' | 'Snippet';

/** What of its owner a repository holds. */
export type RepositoryKind = 'code' | 'wiki';

/** Names a repository, whether it exists yet or not. */
export interface RepositoryRef {
  readonly ownerType: OwnerType;
  readonly ownerId: number;
  readonly kind: RepositoryKind;
}

/** The repository of a project. */
export const projectRepository = (ownerId: number): RepositoryRef => ({
  ownerType: 'Project',
  ownerId,
  kind: 'code',
});

/** The wiki of a project or group. */
export const wikiRepository = (ownerType: 'Project' | 'Group', ownerId: number): RepositoryRef => ({
  ownerType,
  ownerId,
  kind: 'wiki',
});

/** The repository of a snippet. */
export const snippetRepository = (ownerId: number): RepositoryRef => ({
  ownerType: 'Snippet',
  ownerId,
  kind: 'code',
});

/** Names a repository to operators. */
export const describeRepository = ({ ownerType, ownerId, kind }: RepositoryRef): string =>
  `${ownerType.toLowerCase()} ${ownerId}${kind === 'wiki' ? ' (wiki)' : ''}`;

/** Folders of the owners on each storage. */
export const OWNER_FOLDERS: Readonly<Record<OwnerType, string>> = {
  Project: '@hashed',
  Group: '@groups',
  Snippet: '@snippets',
};

/** Where a repository lies below the folder of its storage; hashed, so that no name of anybody's gets into a path. */
export function relativePath({ ownerType, ownerId, kind }: RepositoryRef): string {
  const digest = createHash('sha256').update(String(ownerId)).digest('hex');
  const suffix = kind === 'wiki' ? '.wiki.git' : '.git';
  return `${OWNER_FOLDERS[ownerType]}/${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}${suffix}`;
}

/** Tables of the owners, each with the columns `repository_storage` and `repository_read_only`. */
export const OWNER_TABLES: Readonly<Record<OwnerType, string>> = {
  Project: 'projects',
  Group: 'namespaces',
  Snippet: 'snippets',
};
