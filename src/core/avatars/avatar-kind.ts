/** What has pictures. */
export type AvatarKind = 'user' | 'group' | 'project';
