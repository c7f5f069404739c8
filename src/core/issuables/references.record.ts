import { Text } from '#kernel/http/fields/scalar-fields.js';

/** How texts name a thing. */
export class ReferencesRecord {
  @Text({ description: 'Within its project or group', example: '#7' })
  short!: string;

  @Text({ description: 'Seen from the project or group of the request', example: '#7' })
  relative!: string;

  @Text({ description: 'From anywhere', example: 'shop/web#7' })
  full!: string;
}

/**
 * How texts name a thing of the project or group with this path; `viewedFrom` is the path of the project or group that the request is
 * about, null where it is about none.
 */
export function references(
  fullPath: string,
  iid: number,
  sign: '#' | '!' | '&',
  viewedFrom: string | null,
): ReferencesRecord {
  const short = `${sign}${iid}`;
  const near = sign === '&' && fullPath !== viewedFrom ? fullPath : relativePath(fullPath, viewedFrom);
  return { short, relative: near + short, full: fullPath + short };
}

/** What texts of a project or group name another project by: nothing for itself. */
export const relativePath = (path: string, viewedFrom: string | null): string =>
  path === viewedFrom ? '' : nearPath(path, viewedFrom);

/** The last part of the path of a project, seen from its group or from a neighbour in that group. */
function nearPath(path: string, viewedFrom: string | null): string {
  const parent = path.slice(0, path.lastIndexOf('/'));
  const above = viewedFrom?.slice(0, Math.max(viewedFrom.lastIndexOf('/'), 0));
  const isNear = parent !== '' && (viewedFrom === parent || above === parent);
  return isNear ? path.slice(parent.length + 1) : path;
}
