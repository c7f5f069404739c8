import { freePort } from '../processes.js';
import { Pod, type PodPlace } from './pod.js';
import type { PodTemplate } from './pod-template.js';

/** The pods of a Deployment, each on its own port, because they share the loopback interface. */
export class Deployment {
  readonly pods: Pod[] = [];
  private readonly started: Pod[] = [];

  private constructor(
    private readonly template: PodTemplate,
    private readonly place: PodPlace,
    /** Ports of its pods, and of as many replacements. */
    readonly ports: readonly number[],
  ) {}

  /** Starts as many pods as the chart wants; each is ready. */
  static async start(
    { template, replicas }: { readonly template: PodTemplate; readonly replicas: number },
    place: PodPlace,
  ): Promise<Deployment> {
    const ports = await Promise.all(Array.from({ length: 2 * replicas }, () => freePort()));
    const deployment = new Deployment(template, place, ports);
    for (let index = 0; index < replicas; index += 1) deployment.pods.push(await deployment.add());
    return deployment;
  }

  /** The readiness probe, as a balancer requests it. */
  get check(): { readonly everyMs: number; readonly timeoutMs: number; readonly failures: number } {
    const { readinessProbe } = this.template.spec.containers[0];
    if (!readinessProbe) throw new Error('The chart has no readiness probe');
    const { periodSeconds, timeoutSeconds, failureThreshold } = readinessProbe;
    return {
      everyMs: periodSeconds * 1_000,
      timeoutMs: timeoutSeconds * 1_000,
      failures: failureThreshold,
    };
  }

  /**
   * Replaces a pod by a new one once that is ready; the old one then stops, which is not awaited (maxSurge 1,
   * maxUnavailable 0). Its service removes it at the same time.
   */
  async replace(
    index: number,
    forget: (port: number) => Promise<void>,
  ): Promise<{ readonly ended: Promise<number | string> }> {
    const old = this.pods[index] as Pod;
    this.pods[index] = await this.add();
    const ended = Promise.all([old.terminate(), forget(old.port)]).then(([code]) => code);
    // Its caller waits for the others first.
    ended.catch(() => undefined);
    return { ended };
  }

  /** SIGKILL to all pods that were ever started. */
  async kill(): Promise<void> {
    for (const pod of this.started) await pod.kill();
  }

  private async add(): Promise<Pod> {
    const port = this.ports[this.started.length] as number;
    const pod = Pod.start(this.template, this.place, { HOST: '127.0.0.1', PORT: String(port) });
    this.started.push(pod);
    try {
      await pod.ready();
    } catch (error) {
      await this.kill();
      throw error;
    }
    return pod;
  }
}
