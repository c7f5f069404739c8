import { Injectable } from '@nestjs/common';
import { forbidden, notFound, unauthorized } from '#kernel/http/errors.js';
import { IntakeLimit } from './intake.limit.js';
import { IntakeProjectsQueries } from './intake-projects.queries.js';

/** Decides who may send errors to a project, before reading the body. */
@Injectable()
export class IntakeAdmissionPolicy {
  constructor(
    private readonly projects: IntakeProjectsQueries,
    private readonly limit: IntakeLimit,
  ) {}

  /**
   * Admits senders with a key of the project; without one, only up to the first line of an envelope, which
   * may contain it.
   * @throws 404 if the project does not track errors here, 401 for a wrong key, 403 for a correct one if the
   * project accepts nothing, 429
   */
  async enter(projectId: number, key: string | null): Promise<void> {
    const project = await this.projects.find(projectId, key);
    if (!project?.tracked) throw notFound('Project');
    if (key !== null && !project.keyed) throw unauthorized();
    if (key !== null && project.isShut) throw forbidden();
    await this.limit.look(projectId);
  }

  /** Admits senders with this key. @throws as `enter`, 401 without a key */
  async prove(projectId: number, key: string | null): Promise<void> {
    if (key === null) throw unauthorized();
    await this.enter(projectId, key);
  }
}
