/** Types of objects with avatars. */
export type AvatarKind = 'user' | 'group' | 'project';
