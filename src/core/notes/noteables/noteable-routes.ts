import type { UserRule } from '#kernel/access/access.js';
import { Role } from '#kernel/access/roles.js';
import { Id } from '#kernel/http/fields/scalar-fields.js';
import type { NoteableType } from './noteable.js';

/** What the routes below one kind of thing differ in. */
export interface NoteableRoutes {
  readonly type: NoteableType;
  /** Path of one thing below `api/v4`, such as `projects/:id/issues/:issue_iid`. */
  readonly path: string;
  /** The parameter that names it there, such as `issue_iid`. */
  readonly param: string;
  /** Who gets past the guards, signed in: for writing too, as `Noteable` tells the rest. */
  readonly access: UserRule;
}

/** The field of a parameter class that names the thing, as `ref`. */
export const NoteableRef = (param: string): PropertyDecorator => Id({ min: 0, as: param });

/** The same routes for those alone who may change the thing whoever wrote it. */
export const forReporters = ({ feature, tier }: UserRule): UserRule => ({
  project: Role.Reporter,
  ...(feature === undefined ? {} : { feature }),
  ...(tier === undefined ? {} : { tier }),
});
