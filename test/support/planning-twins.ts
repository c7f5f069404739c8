import { expect } from '@jest/globals';
import type { Portable } from '#core/exchange/relation-export.js';
import type { TestApi } from './api.js';
import { buildGroup } from './builders/group.js';
import { buildMember } from './builders/member.js';
import { buildProject } from './builders/project.js';
import { createUser, type CreatedUser } from './builders/user.js';
import {
  exportRecords,
  handmadeTarget,
  importRecords,
  type HandmadeTarget,
  type TargetValues,
} from './transfer-target.js';

/** A group with a project in it. */
export interface Place {
  readonly group: number;
  readonly project: number;
}

/** Values that cannot be the same in another group or project. */
const OWN = new Set([
  'id',
  'project_id',
  'group_id',
  'noteable_id',
  'awardable_id',
  'web_url',
  'web_edit_url',
  '_links',
  'references',
  'url',
  'epic_issue_id',
  'resource_id',
]);

const portable = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, one: unknown) => (OWN.has(name) ? undefined : one));

/** A group with planning, and one into which it is imported: both have the same two members. */
export class PlanningTwins {
  private constructor(
    private readonly api: TestApi,
    /** Maintainer of both. */
    readonly alice: CreatedUser,
    /** Reporter of both. */
    readonly bob: CreatedUser,
    readonly from: Place,
    readonly to: Place,
  ) {}

  static async build(api: TestApi): Promise<PlanningTwins> {
    const [alice, bob] = [await createUser(api), await createUser(api)];
    const place = async (): Promise<Place> => {
      const { id: group } = await buildGroup(api, { visibility: 'private' });
      const { id: project } = await buildProject(api.root, { namespace_id: group });
      await buildMember(api, `groups/${group}`, alice.id, 40);
      await buildMember(api, `groups/${group}`, bob.id, 20);
      return { group, project };
    };
    return new PlanningTwins(api, alice, bob, await place(), await place());
  }

  /** Imports a relation; `records` are those imported before it. */
  async bring(
    of: Portable,
    relation: string,
    values: Partial<TargetValues> = {},
    records: HandmadeTarget['records'] = new Map(),
  ): Promise<HandmadeTarget> {
    const users = new Map([1, this.alice.id, this.bob.id].map((id) => [id, id]));
    const there = handmadeTarget({ of, ownerId: this.to[of], users, ...values });
    for (const [name, known] of records) there.records.set(name, known);
    await importRecords(
      this.api,
      there,
      relation,
      await exportRecords(this.api, of, relation, this.from[of]),
    );
    return there;
  }

  /** Expects the same response for both groups, and returns the first. */
  async same(pathOf: (place: Place) => string, client = this.api.root): Promise<unknown[]> {
    const [one, other] = await Promise.all([
      client.get<unknown[]>(pathOf(this.from)),
      client.get<unknown[]>(pathOf(this.to)),
    ]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(portable(other.body)).toEqual(portable(one.body));
    return one.body;
  }

  /** Expects the same rows for both groups, without their names; `$1` is the group or project. */
  async sameRows(sql: string, of: Portable = 'project'): Promise<void> {
    const rows = async (one: Place): Promise<object[]> => this.api.sql<object>(sql, [one[of]]);
    const ours = await rows(this.from);
    expect(ours.length).toBeGreaterThan(0);
    expect(await rows(this.to)).toEqual(ours);
  }

  /** Returns the number of events in the target. */
  told(): Promise<object[]> {
    const { project, group } = this.to;
    return this.api.sql('select count(*) from events where project_id = $1 or group_id = $2', [
      project,
      group,
    ]);
  }
}
