import type { Portable } from '#core/exchange/relation-export.js';

/** Status of an import or an entity; timed-out and canceled ones are failed (decisions.md 3). */
export type ImportStatus = 'created' | 'started' | 'finished' | 'failed';

/** Status of a relation of an entity. */
export type RelationStatus =
  | 'created'
  | 'enqueued'
  | 'started'
  | 'finished'
  | 'failed'
  | 'skipped'
  | 'canceled';

/** Entity types of the API for groups and projects. */
export const SOURCE_TYPES = { group: 'group_entity', project: 'project_entity' } as const satisfies Record<
  Portable,
  string
>;

/** Entity type of the API. */
export type SourceType = (typeof SOURCE_TYPES)[Portable];

/** Returns whether the status is final. */
export const hasEnded = (status: ImportStatus): boolean => status === 'finished' || status === 'failed';

/** An entity as the engine reads it. */
export interface Entity {
  readonly id: number;
  readonly importId: number;
  readonly parentId: number | null;
  readonly of: Portable;
  readonly sourceFullPath: string;
  /** Null until its shell has been read. */
  readonly sourceId: number | null;
  readonly destinationSlug: string;
  readonly destinationNamespace: string;
  /** The local group, or the namespace of the project; null until it is created. */
  readonly namespaceId: number | null;
  readonly projectId: number | null;
  readonly status: ImportStatus;
  readonly migrateProjects: boolean;
  readonly migrateMemberships: boolean;
  readonly importerId: number;
  /** Whether the importing user has administrator rights for it. */
  readonly importsAsAdmin: boolean;
  readonly sourceUrl: string;
}

/** Purpose of the sealed source token of an import (`SecretBox.seal`). */
export const tokenPurpose = (importId: number): string => `bulk-import:${importId}:token`;
