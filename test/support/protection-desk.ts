import type { TestApi } from './api.js';
import { buildMember } from './builders/member.js';
import { createUser, type CreatedUser } from './builders/user.js';
import { CiEngine } from './ci-engine.js';
import type { Answer, ApiClient } from './client.js';

/** Users who may deploy or approve. */
export interface Entry {
  readonly id: number;
  readonly access_level: number | null;
  readonly user_id: number | null;
  readonly group_id: number | null;
}

/** A protected environment. */
export interface Protection {
  readonly name: string;
  readonly deploy_access_levels: Entry[];
  readonly approval_rules: Entry[];
  readonly required_approval_count: number;
}

/** Levels that let Maintainers deploy. */
export const MAINTAINERS = [{ access_level: 40 }];

/** Protected environments of a project with pipelines, managed by its Maintainer. */
export class ProtectionDesk {
  private constructor(
    readonly ci: CiEngine,
    /** A Developer in addition to the team. */
    readonly developer: CreatedUser,
  ) {}

  static async open(api: TestApi): Promise<ProtectionDesk> {
    const ci = await CiEngine.start(api);
    const developer = await createUser(api);
    await buildMember(api, `projects/${ci.project.id}`, developer.id, 30);
    return new ProtectionDesk(ci, developer);
  }

  get maintainer(): ApiClient {
    return this.ci.project.maintainer;
  }

  /** A path below the project. */
  at(suffix = ''): string {
    return `/projects/${this.ci.project.id}${suffix}`;
  }

  /** Path of the protected environments, or of the named one. */
  own(name = ''): string {
    return this.at(`/protected_environments${name === '' ? '' : `/${encodeURIComponent(name)}`}`);
  }

  /** Protects an environment; by default for Maintainers. */
  protect(values: object): Promise<Answer<Protection>> {
    return this.maintainer.post<Protection>(this.own(), { deploy_access_levels: MAINTAINERS, ...values });
  }

  get(name = ''): Promise<Answer<Protection>> {
    return this.maintainer.get<Protection>(this.own(name));
  }

  change(name: string, values: object): Promise<Answer<Protection>> {
    return this.maintainer.put<Protection>(this.own(name), values);
  }

  /** Status and message of the response to an invalid protection. */
  async refused(values: object): Promise<unknown[]> {
    const { status, body } = await this.maintainer.post(this.own(), { name: 'wrong', ...values });
    return [status, body['message']];
  }
}
