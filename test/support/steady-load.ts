import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_TOKEN } from './processes.js';

const READS = ['/api/v4/user', '/api/v4/projects', 'ISSUES'];

/** Requests at an even pace, whatever their result: most read, some write an issue or the project description. */
export class SteadyLoad {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 100 });
  private readonly sent: Promise<string>[] = [];
  private running = true;
  private readonly loading: Promise<void>;

  /** Begins at once; `project` is a path such as `/api/v4/projects/1`. */
  constructor(
    private readonly url: string,
    private readonly project: string,
    private readonly perSecond: number,
  ) {
    this.loading = this.load();
  }

  /** Ends the load and returns method and status of each request, or its error. */
  async end(): Promise<string[]> {
    this.running = false;
    await this.loading;
    const outcomes = await Promise.all(this.sent);
    this.agent.destroy();
    return outcomes;
  }

  private async load(): Promise<void> {
    const begun = Date.now();
    for (let number = 0; this.running; number += 1) {
      this.sent.push(this.ask(number));
      await sleep(Math.max(0, begun + ((number + 1) * 1_000) / this.perSecond - Date.now()));
    }
  }

  private ask(number: number): Promise<string> {
    // Updates of one row wait for each other: on a slow machine more of them would exceed the limit for waiting.
    const kind = number % 5 === 0 ? 'POST' : number % 20 === 3 ? 'PUT' : 'GET';
    const read = READS[number % READS.length] as string;
    const issues = `${this.project}/issues`;
    const path = kind === 'POST' ? issues : kind === 'PUT' ? this.project : read === 'ISSUES' ? issues : read;
    const body =
      kind === 'GET'
        ? undefined
        : JSON.stringify({ title: `Issue ${number}`, description: `Text ${number}` });
    return new Promise((resolve) => {
      const headers = {
        'PRIVATE-TOKEN': ROOT_TOKEN,
        ...(body === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      };
      const sent = request(`${this.url}${path}`, { agent: this.agent, method: kind, headers }, (answer) => {
        answer.resume();
        const { statusCode = 0, headers: told } = answer;
        // The product gives every response a separate id; its errors tell when to retry, which differs with their reason.
        const from = 'x-request-id' in told ? '' : ' of somebody before it';
        const retry = told['retry-after'] === undefined ? '' : `, retry after ${told['retry-after']} s`;
        answer.on('end', () => resolve(`${kind} ${statusCode}${from}${retry}`));
        answer.on('error', (error) => resolve(`${kind} answer cut: ${error.message}`));
      });
      sent.on('error', (error) => resolve(`${kind} ${error.message}`));
      sent.end(body);
    });
  }
}
