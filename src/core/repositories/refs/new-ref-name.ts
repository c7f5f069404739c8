import { isValidRefName } from '../ref-name.js';

const MISLEADING = /^(HEAD$|refs\/(heads|tags|remotes)\/)/;

/** Returns whether git accepts the name but would misread it as another revision. */
export const isMisleadingName = (name: string): boolean => MISLEADING.test(name);

/** Returns whether a new branch or tag may have this name. */
export const isValidNewRefName = (name: string): boolean => isValidRefName(name) && !isMisleadingName(name);
