import type { UserRule } from '#kernel/access/access.js';
import { Role } from '#kernel/access/roles.js';
import { Id } from '#kernel/http/fields/scalar-fields.js';
import type { NoteableType } from './noteable.js';

/** Differences between the routes below types of noteables. */
export interface NoteableRoutes {
  readonly type: NoteableType;
  /** Path of a noteable below `api/v4`, such as `projects/:id/issues/:issue_iid`. */
  readonly path: string;
  /** Parameter of the noteable in the path, such as `issue_iid`. */
  readonly param: string;
  /** Access of signed-in users for reading and writing; `Noteable` has the further rights. */
  readonly access: UserRule;
}

/** Field of a parameter class for the noteable, as `ref`. */
export const NoteableRef = (param: string): PropertyDecorator => Id({ min: 0, as: param });

/** Returns the access rule for users who may change noteables of any author. */
export const forReporters = ({ feature, tier }: UserRule): UserRule => ({
  project: Role.Reporter,
  ...(feature === undefined ? {} : { feature }),
  ...(tier === undefined ? {} : { tier }),
});
