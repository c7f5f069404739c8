import type { PageContext } from '../page-context.js';

/** Where applications are kept: a user's own, or those of the whole instance. */
export interface Place {
  readonly path: string;
  readonly title: string;
  readonly isInstance: boolean;
}

/** What users register for themselves. */
export const OWN: Place = { path: '/-/profile/applications', title: 'Applications', isInstance: false };

/** What administrators register for everybody. */
export const INSTANCE: Place = {
  path: '/admin/applications',
  title: 'Applications of the instance',
  isInstance: true,
};

/** Whose applications these are; null for the instance's. */
export const ownerOf = ({ isInstance }: Place, page: PageContext): number | null =>
  isInstance ? null : page.actor.id;
