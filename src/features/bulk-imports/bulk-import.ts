import type { Portable } from '#core/exchange/relation-export.js';

/** Where an import or an entity stands; timed-out and cancelled ones are failed (decisions.md 3). */
export type ImportStatus = 'created' | 'started' | 'finished' | 'failed';

/** Where a relation of an entity stands. */
export type RelationStatus =
  | 'created'
  | 'enqueued'
  | 'started'
  | 'finished'
  | 'failed'
  | 'skipped'
  | 'canceled';

/** What kind of entity the API calls what we call a group or project. */
export const SOURCE_TYPES = { group: 'group_entity', project: 'project_entity' } as const satisfies Record<
  Portable,
  string
>;

/** Entity type as the API names it. */
export type SourceType = (typeof SOURCE_TYPES)[Portable];

/** Whether it can change no more. */
export const hasEnded = (status: ImportStatus): boolean => status === 'finished' || status === 'failed';

/** An entity as the engine knows it. */
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
  /** The group here, or the namespace of the project; null until its shell is made. */
  readonly namespaceId: number | null;
  readonly projectId: number | null;
  readonly status: ImportStatus;
  readonly migrateProjects: boolean;
  readonly migrateMemberships: boolean;
  readonly importerId: number;
  /** Whether whoever migrates has the rights of administrators for it. */
  readonly importsAsAdmin: boolean;
  readonly sourceUrl: string;
}

/** What the sealed token of an import's source is bound to (`SecretBox.seal`). */
export const tokenPurpose = (importId: number): string => `bulk-import:${importId}:token`;
