/** The behavior of a v4 server of one version, where versions differ. */
export interface V4Version {
  readonly version: string;
  /** Whether `export_relations` are split into batches on request. */
  readonly hasBatches: boolean;
  /** Whether `status` has the parameter `relation`; without it every response is a list. */
  readonly hasStatusOfOne: boolean;
  /** The `status` of an export that has not started; null if there is none yet. */
  readonly pending: number | null;
  /** Whether `/metadata` exists, and whether the scopes of a token can be requested. */
  readonly hasMetadata: boolean;
  readonly hasTokenSelf: boolean;
  /** The address in a user record: the public one, or (as for administrators) all. */
  readonly userAddress: 'public_email' | 'email';
  /** Whether records of the export have ids. */
  readonly hasIds: boolean;
  /** Whether attributes and lists have their names of versions before 15. */
  readonly hasOldNames: boolean;
  /** Whether groups have epics. */
  readonly hasEpics: boolean;
  /** Whether avatars of projects have a route, like those of groups. */
  readonly hasProjectAvatars: boolean;
  /** Path below which it is served; empty for a separate host. */
  readonly mount: string;
  /** Whether downloads redirect to a separate storage. */
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

/** The versions under test, by the slug of the imported group. */
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
