import type { Project } from '../project.entity.js';

/** Somebody has changed settings of a project; listeners run in the transaction that does it. */
export class ProjectSettingsChanged {
  constructor(
    readonly projectId: number,
    readonly from: Project['settings'],
    readonly to: Project['settings'],
  ) {}
}
