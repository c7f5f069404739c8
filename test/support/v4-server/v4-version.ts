/** How an existing v4 server of one version answers, where versions differ. */
export interface V4Version {
  readonly version: string;
  /** Whether `export_relations` are split when that is asked for. */
  readonly hasBatches: boolean;
  /** Whether `status` knows the parameter `relation`; without it every answer is a list. */
  readonly hasStatusOfOne: boolean;
  /** What `status` says while an export has not begun; null: nothing yet. */
  readonly pending: number | null;
  /** Whether there is `/metadata`, and whether a token can be asked what it may do. */
  readonly hasMetadata: boolean;
  readonly hasTokenSelf: boolean;
  /** Which address a record of a user tells: the public one, or (as administrators see it) all. */
  readonly userAddress: 'public_email' | 'email';
  /** Records of the export carry ids. */
  readonly hasIds: boolean;
  /** Attributes and lists under the names that they had before 15. */
  readonly hasOldNames: boolean;
  /** Whether groups have epics at all. */
  readonly hasEpics: boolean;
  /** Whether pictures of projects have a route, as those of groups have. */
  readonly hasProjectAvatars: boolean;
  /** Path below which it is served; empty for a host of its own. */
  readonly mount: string;
  /** Whether files are fetched from a storage of their own, to which a download leads. */
  readonly hasObjectStorage: boolean;
}

const RECENT: V4Version = {
  version: '16.11.2-ee',
  hasBatches: true,
  hasStatusOfOne: true,
  pending: -2,
  hasMetadata: true,
  hasTokenSelf: true,
  userAddress: 'public_email',
  hasIds: false,
  hasOldNames: false,
  hasEpics: true,
  hasProjectAvatars: true,
  mount: '',
  hasObjectStorage: true,
};

/** The versions that tests play, by the slug of the group that each becomes. */
export const V4_VERSIONS: Readonly<Record<'v16' | 'v15' | 'v14', V4Version>> = {
  v16: RECENT,
  v15: {
    ...RECENT,
    version: '15.4.6',
    hasBatches: false,
    hasStatusOfOne: false,
    pending: 0,
    hasTokenSelf: false,
    userAddress: 'email',
    hasIds: true,
    hasEpics: false,
    hasProjectAvatars: false,
    mount: '/forge',
    hasObjectStorage: false,
  },
  v14: {
    ...RECENT,
    version: '14.10.5-ee',
    hasBatches: false,
    hasStatusOfOne: false,
    pending: null,
    hasMetadata: false,
    hasTokenSelf: false,
    hasOldNames: true,
    hasProjectAvatars: false,
    hasObjectStorage: false,
  },
};
