import { expect } from '@jest/globals';
import { git } from '#core/repositories/git/git.js';
import type { TestApi } from './api.js';
import { buildCodeProject, type CodeProject } from './builders/code-project.js';
import { buildMember } from './builders/member.js';
import { createUser, type CreatedUser } from './builders/user.js';
import { exportRecords, handmadeTarget, importRecords, type HandmadeTarget } from './transfer-target.js';
import { borrowApi } from './shared-api.js';

/** Values that cannot be the same in another project. */
const OWN = new Set([
  'id',
  'project',
  'project_id',
  'source_project_id',
  'target_project_id',
  'merge_request_id',
  'pipeline_id',
  'noteable_id',
  'awardable_id',
  'web_url',
  'raw_url',
  'http_url_to_repo',
  'ssh_url_to_repo',
  'details_path',
  'references',
  'reference',
  'deployable',
  'commit',
  'queued_duration',
]);

/** The record without them. */
export const portable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, one: unknown) => (OWN.has(name) ? undefined : one));

/** A project with code, and another into which its relations are imported without the engine. */
export class TransferWorld {
  private constructor(
    readonly api: TestApi,
    readonly from: CodeProject,
    readonly to: CodeProject,
    readonly alice: CreatedUser,
  ) {}

  static async build(): Promise<TransferWorld> {
    const api = await borrowApi();
    const branches = async (work: CodeProject['work']): Promise<void> => {
      for (const name of ['feature', 'done', 'gone']) {
        await work.git('checkout', '--quiet', '-b', name, 'main');
        await work.commit({ [`${name}.txt`]: `${name}\n` }, `Add ${name}`);
      }
      await work.git('checkout', '--quiet', 'main');
    };
    const from = await buildCodeProject(api, branches);
    const to = await buildCodeProject(api);
    const alice = await createUser(api);
    for (const { id } of [from, to]) await buildMember(api, `projects/${id}`, alice.id, 40);
    await buildMember(api, `projects/${to.id}`, from.developerId, 30);
    return new TransferWorld(api, from, to, alice);
  }

  async close(): Promise<void> {
    for (const { work } of [this.from, this.to]) work.remove();
    await this.api.close();
  }

  target(): HandmadeTarget {
    const users = new Map([1, this.alice.id, this.from.developerId].map((id) => [id, id]));
    return handmadeTarget({ of: 'project', ownerId: this.to.id, users });
  }

  /** Imports a relation. */
  async bring(relation: string): Promise<HandmadeTarget> {
    const there = this.target();
    const records = await exportRecords(this.api, 'project', relation, this.from.id);
    await importRecords(this.api, there, relation, records);
    return there;
  }

  /** The response of the source, once that of the target is the same except for its own values. */
  async same<Body>(path: string): Promise<Body> {
    const { root } = this.api;
    const [one, other] = await Promise.all([
      root.get<Body>(`/projects/${this.from.id}${path}`),
      root.get<Body>(`/projects/${this.to.id}${path}`),
    ]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(portable(other.body)).toEqual(portable(one.body));
    return one.body;
  }

  /** Creates something in the source. */
  async post<Body extends object>(path: string, values: object): Promise<Body> {
    const answer = await this.api.root.post<Body>(`/projects/${this.from.id}${path}`, values);
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return answer.body;
  }

  /** Copies branches and tags as a migration does, without commits that they do not reach. */
  async fetchCode(): Promise<void> {
    const refs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    await git(this.to.repositoryPath, ['fetch', '--quiet', '--no-tags', this.from.repositoryPath, ...refs], {
      env: { GIT_ALLOW_PROTOCOL: 'file' },
    });
  }
}
