import { isValidRefName } from '../ref-name.js';

/** Names that git would take, but that would be mistaken for something else where a revision is asked for. */
const MISLEADING = /^(HEAD$|refs\/(heads|tags|remotes)\/)/;

/** Whether a new branch or tag may have this name. */
export const isValidNewRefName = (name: string): boolean => isValidRefName(name) && !MISLEADING.test(name);
