/**
 * Form of paths of groups and projects: no characters that need escaping in URLs, no endings reserved by git
 * or format suffixes.
 */
const PATH = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
const ENDINGS = /(\.git|\.atom|[.-])$/i;
const NAME = /^[\p{L}\p{N}\p{Emoji_Presentation}_][\p{L}\p{M}\p{N}\p{Emoji_Presentation}\u200d_()+.\- ]*$/u;

/** Maximum length of names and paths. */
export const MAX_NAME_LENGTH = 255;

/** Reserved first segments of paths, used by other routes. */
const RESERVED_TOP = new Set(
  `- api assets oauth users groups projects help explore dashboard admin import profile search snippets uploads robots.txt
   favicon.ico sitemap files public health_check jwt login v2 invites unsubscribes s abuse_reports autocomplete`.split(
    /\s+/,
  ),
);

/** Reserved segments below a group or project. */
const RESERVED_BELOW = new Set(
  `- badges blame blob builds commits create create_dir edit environments/folders files find_file info/lfs gitlab-lfs new preview
   raw refs tree update wikis`.split(/\s+/),
);

/** Error text for a path of the wrong form, as v4 clients know it. */
export const PATH_FORM =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";

/** Error text for a name of the wrong form. */
export const NAME_FORM =
  "can contain only letters, digits, emojis, '_', '.', '+', dashes, spaces and parentheses. It must start with letter, digit, emoji or '_'.";

/** Returns the problem of the path of a group (`isTop` if it has no parent) or project, or null. */
export function pathProblem(path: string, isTop: boolean): string | null {
  if (path.length > MAX_NAME_LENGTH) return `is too long (maximum is ${MAX_NAME_LENGTH} characters)`;
  if (path.length < 1 || !PATH.test(path) || ENDINGS.test(path)) return PATH_FORM;
  const reserved = isTop ? RESERVED_TOP : RESERVED_BELOW;
  return reserved.has(path.toLowerCase()) || /^\d+$/.test(path) ? `${path} is a reserved name` : null;
}

/** Returns the problem of the name of a group, or null. */
export function nameProblem(name: string): string | null {
  if (name.trim() === '') return "can't be blank";
  if (name.length > MAX_NAME_LENGTH) return `is too long (maximum is ${MAX_NAME_LENGTH} characters)`;
  return NAME.test(name) ? null : NAME_FORM;
}
