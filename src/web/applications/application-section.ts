import type { PageContext } from '../page-context.js';

/** Owner of a set of applications: a user, or the instance. */
export interface ApplicationSection {
  readonly path: string;
  readonly title: string;
  readonly isInstance: boolean;
}

/** Applications that users register for themselves. */
export const OWN: ApplicationSection = {
  path: '/-/profile/applications',
  title: 'Applications',
  isInstance: false,
};

/** Applications that administrators register for everyone. */
export const INSTANCE: ApplicationSection = {
  path: '/admin/applications',
  title: 'Applications of the instance',
  isInstance: true,
};

/** The id of the owner; null for the instance. */
export const ownerOf = ({ isInstance }: ApplicationSection, page: PageContext): number | null =>
  isInstance ? null : page.actor.id;
