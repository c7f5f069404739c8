import { Text } from '#kernel/http/fields/scalar-fields.js';

/** References to an issuable in texts. */
export class ReferencesRecord {
  @Text({ description: 'Within its project or group', example: '#7' })
  short!: string;

  @Text({ description: 'Seen from the project or group of the request', example: '#7' })
  relative!: string;

  @Text({ description: 'From anywhere', example: 'shop/web#7' })
  full!: string;
}

/**
 * Returns the references to an issuable of the project or group with this path; `viewedFrom`: path of the
 * project or group of the request, or null.
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

/** Returns the path by which texts of a project or group refer to another project: empty for itself. */
export const relativePath = (path: string, viewedFrom: string | null): string =>
  path === viewedFrom ? '' : nearPath(path, viewedFrom);

/** Returns the last part of the path of a project, if seen from its group or a neighbour in that group. */
function nearPath(path: string, viewedFrom: string | null): string {
  const parent = path.slice(0, path.lastIndexOf('/'));
  const above = viewedFrom?.slice(0, Math.max(viewedFrom.lastIndexOf('/'), 0));
  const isNear = parent !== '' && (viewedFrom === parent || above === parent);
  return isNear ? path.slice(parent.length + 1) : path;
}
