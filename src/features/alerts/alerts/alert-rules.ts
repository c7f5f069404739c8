import type { ProjectSubject } from '#kernel/access/caller.js';
import { Forbidden } from '#kernel/http/errors.js';

/** Whatever belongs to an archived project stays as it is. @throws 403 */
export function refuseArchived({ archived }: ProjectSubject): void {
  if (archived) throw Forbidden();
}
