import type { Project } from '../project.entity.js';

/** Settings of a project were changed; listeners run in the same transaction. */
export class ProjectSettingsChanged {
  constructor(
    readonly projectId: number,
    readonly from: Project['settings'],
    readonly to: Project['settings'],
  ) {}
}
