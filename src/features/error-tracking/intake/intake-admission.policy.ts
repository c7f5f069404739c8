import { Injectable } from '@nestjs/common';
import { forbidden, notFound, unauthorized } from '#kernel/http/errors.js';
import { IntakeLimit } from './intake.limit.js';
import { IntakeProjectsQueries } from './intake-projects.queries.js';

/** Decides who may send errors to a project, before anything is read of what they send. */
@Injectable()
export class IntakeAdmissionPolicy {
  constructor(
    private readonly projects: IntakeProjectsQueries,
    private readonly limit: IntakeLimit,
  ) {}

  /**
   * Lets in whoever has a key of the project; without one, as far as the first line of an envelope, which may have it.
   * @throws 404 for a project that tracks no errors here, 401 for a wrong key, 403 for a right one when it takes nothing in, 429
   */
  async enter(projectId: number, key: string | null): Promise<void> {
    const project = await this.projects.find(projectId, key);
    if (!project?.tracked) throw notFound('Project');
    if (key !== null && !project.keyed) throw unauthorized();
    if (key !== null && project.isShut) throw forbidden();
    await this.limit.look(projectId);
  }

  /** Lets in whoever turns out to have this key. @throws as `enter`, 401 without a key */
  async prove(projectId: number, key: string | null): Promise<void> {
    if (key === null) throw unauthorized();
    await this.enter(projectId, key);
  }
}
