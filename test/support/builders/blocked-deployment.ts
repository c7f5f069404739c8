import { expect } from '@jest/globals';
import type { CiEngine } from '../ci-engine.js';

/** A deployment that waits for approvals, with the job that will execute it. */
export interface BlockedDeployment {
  readonly id: number;
  readonly pipeline: number;
  /** Name of its environment. */
  readonly name: string;
  readonly jobId: number;
}

let serial = 0;

/** Protects a new environment for Developers, and starts a pipeline of the maintainer that deploys to it. */
export async function buildBlockedDeployment(ci: CiEngine, protection: object): Promise<BlockedDeployment> {
  serial += 1;
  const name = `blocked-${serial}`;
  const project = `/projects/${ci.project.id}`;
  const made = await ci.project.maintainer.post(`${project}/protected_environments`, {
    name,
    deploy_access_levels: [{ access_level: 30 }],
    ...protection,
  });
  expect(made.status).toBe(201);
  const pipeline = await ci.run(`deploy: { script: x, environment: ${name} }`);
  const { body } = await ci.project.reporter.get<{ id: number }[]>(
    `${project}/deployments?environment=${name}`,
  );
  return { id: body[0]?.id ?? 0, pipeline, name, jobId: await ci.job(pipeline, 'deploy') };
}
