import { describe, expect, it } from '@jest/globals';
import { historyOf, type History } from './history.js';
import { deployersOf } from './teams.js';
import { demoProjects } from './world.js';

const FROM = new Date('2024-01-10T00:00:00Z');
const NOW = new Date('2024-07-10T12:34:00Z');
const everything = demoProjects(12).map((project) =>
  historyOf(project, deployersOf(project.group), FROM, NOW),
);
const all = everything.flatMap(({ deployments }) => deployments);

const share = (status: string): number => all.filter((one) => one.status === status).length / all.length;

describe('the history of the demonstration projects', () => {
  it('is the same each time', () => {
    const again = demoProjects(12).map((project) =>
      historyOf(project, deployersOf(project.group), FROM, NOW),
    );
    expect(again).toEqual(everything);
  });

  it('differs between projects that share a template', () => {
    const projects = demoProjects(24);
    const shas = ({ deployments }: History): string[] => deployments.map(({ sha }) => sha);
    const numbered = historyOf(projects[12] as (typeof projects)[0], ['a'], FROM, NOW);
    expect(shas(numbered)).not.toEqual(shas(everything[0] as History));
    expect(projects[12]?.path).toBe('storefront-2');
  });

  it('is in order, within its period, and has an end time exactly if it is finished', () => {
    for (const { deployments } of everything) {
      const starts = deployments.map(({ createdAt }) => createdAt.getTime());
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
      expect(starts[0]).toBeGreaterThanOrEqual(FROM.getTime());
      for (const { status, createdAt, finishedAt } of deployments) {
        expect(finishedAt === null).toBe(status === 'running');
        if (finishedAt) expect(finishedAt.getTime()).toBeGreaterThan(createdAt.getTime());
        expect((finishedAt ?? createdAt).getTime()).toBeLessThanOrEqual(NOW.getTime());
      }
    }
  });

  it('never deploys to one environment twice at the same time', () => {
    for (const { deployments, environments } of everything) {
      for (const { name } of environments) {
        const own = deployments.filter(({ environment }) => environment === name);
        own.slice(1).forEach(({ createdAt }, index) => {
          expect(createdAt.getTime()).toBeGreaterThan(own[index]?.finishedAt?.getTime() ?? Infinity);
        });
      }
    }
  });

  it('consists mostly of successes', () => {
    expect(share('success')).toBeGreaterThan(0.8);
    expect(share('failed')).toBeGreaterThan(0.03);
    expect(share('canceled')).toBeGreaterThan(0.002);
    expect(share('running')).toBeGreaterThan(0);
  });

  it('contains valid branches, tags and commits', () => {
    for (const { environment, ref, tag, sha } of all) {
      expect(sha).toMatch(/^[0-9a-f]{40}$/);
      if (tag) expect([environment, ref]).toEqual(['production', expect.stringMatching(/^v1\.\d+\.\d$/)]);
      else if (environment.startsWith('review/')) expect(environment).toBe(`review/${ref}`);
      else expect(ref).toBe('main');
    }
  });

  it('ends review environments with their branch', () => {
    const reviews = everything.flatMap(({ environments }) =>
      environments.filter(({ name }) => name.startsWith('review/')),
    );
    expect(reviews.filter(({ stoppedAt }) => stoppedAt).length).toBeGreaterThan(100);
    for (const { createdAt, stoppedAt } of reviews)
      expect(stoppedAt?.getTime() ?? Infinity).toBeGreaterThan(createdAt.getTime());
  });
});
