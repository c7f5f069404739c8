import type { Rendered } from './chart.js';

interface Container {
  readonly args?: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly key: string } };
  }[];
  readonly securityContext: {
    readonly readOnlyRootFilesystem: boolean;
    readonly allowPrivilegeEscalation: boolean;
    readonly capabilities: { readonly drop: readonly string[] };
  };
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

/** The readiness probe of a pod. */
export interface Probe {
  readonly httpGet: { readonly path: string };
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}

/** The pods of a Deployment or Job, with what is needed to start a process from it. */
export interface PodTemplate {
  readonly spec: {
    readonly terminationGracePeriodSeconds?: number;
    readonly securityContext: {
      readonly runAsUser: number;
      readonly runAsGroup: number;
      readonly fsGroup: number;
    };
    readonly containers: readonly [Container];
    readonly volumes: readonly {
      readonly name: string;
      readonly emptyDir?: { readonly sizeLimit?: string };
    }[];
  };
}

/** A folder that a pod may write to: a volume claim, or an emptyDir. */
interface Mount {
  readonly path: string;
  readonly isClaim: boolean;
  /** In the form of mount. */
  readonly size: string;
}

/** The template and the number of pods of an object. @throws if the chart does not contain it */
export function podsOf(
  objects: readonly Rendered[],
  name: string,
): { template: PodTemplate; replicas: number } {
  const found = objects.find(({ kind, metadata }) => `${kind} ${metadata.name}` === name);
  if (!found) throw new Error(`The chart makes no ${name}`);
  const { template, replicas = 1 } = (
    found as unknown as { spec: { template: PodTemplate; replicas?: number } }
  ).spec;
  return { template, replicas };
}

/** The writable folders of its first container. */
export function mountsOf({ spec }: PodTemplate): Mount[] {
  return spec.containers[0].volumeMounts.map(({ name, mountPath }) => {
    const { emptyDir } = spec.volumes.find((volume) => volume.name === name) ?? {};
    return {
      path: mountPath,
      isClaim: emptyDir === undefined,
      size: emptyDir?.sizeLimit?.replace('i', '').toLowerCase() ?? '50%',
    };
  });
}
