import { isValidRefName } from '../ref-name.js';

const MISLEADING = /^(HEAD$|refs\/(heads|tags|remotes)\/)/;

/** Whether git would take the name, but would mistake it for something else where a revision is asked for. */
export const isMisleadingName = (name: string): boolean => MISLEADING.test(name);

/** Whether a new branch or tag may have this name. */
export const isValidNewRefName = (name: string): boolean => isValidRefName(name) && !isMisleadingName(name);
