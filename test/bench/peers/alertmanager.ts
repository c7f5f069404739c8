import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { join } from 'node:path';
import { createTarget, payload } from '../alerts.js';
import { endingHere } from '../ending.js';
import type { GitBench } from '../git.js';
import { wholeTreeMicroseconds } from '../load.js';
import { findProgram } from '../nginx.js';
import type { Report } from '../report.js';
import { freePort, stop, waitFor, type Server } from '../servers.js';
import { inTurns, type Side } from '../sides.js';

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const CALLERS = 16;
const NOBODY = 'route: { receiver: nobody, group_wait: 1h }\nreceivers: [{ name: nobody }]\n';

type Peer = Pick<Server, 'url' | 'pid' | 'stop'>;

async function startAlertmanager(program: string, folder: string): Promise<Peer> {
  const port = await freePort();
  const config = join(folder, 'alertmanager.yml');
  writeFileSync(config, NOBODY);
  const args = [`--config.file=${config}`, `--storage.path=${join(folder, 'alertmanager')}`, `--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='];
  const child = endingHere(spawn(program, args, { stdio: 'ignore' }));
  const url = `http://127.0.0.1:${port}`;
  await waitFor(`${url}/-/ready`, child);
  return { url, pid: child.pid ?? 0, stop: () => stop(child) };
}

function post(url: string, headers: Record<string, string>, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const outgoing = send(url, { method: 'POST', agent, headers: all }, (answer) => {
      answer.resume().on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${url}: ${answer.statusCode}`))));
    });
    outgoing.on('error', reject).end(body);
  });
}

/** Sixteen callers, each alert a new one. */
function side(cpu: () => number, sendOne: (number: number) => Promise<void>): Side {
  let number = 0;
  return {
    cpu,
    work: async (times) => {
      const end = number + times;
      const caller = async (): Promise<void> => {
        while (number < end) await sendOne((number += 1));
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
    },
  };
}

/** An alert as Prometheus sends it. */
const alert = (number: number): string =>
  JSON.stringify([
    {
      labels: { alertname: `Alert ${number}`, service: 'shop', severity: 'high', instance: 'web-1' },
      annotations: { description: 'More requests fail than may', dashboard: 'http://dashboard.test/1' },
      startsAt: new Date().toISOString(),
      generatorURL: 'http://prometheus.test/graph',
    },
  ]);

/** New alerts, one per body, compared with Alertmanager. */
export async function measureAlertPeer(report: Report, { folder, postgresPid, isQuick }: GitBench, product: Server): Promise<void> {
  const program = findProgram('prometheus-alertmanager') ?? findProgram('alertmanager');
  if (program === null) {
    report.note('peers: Alertmanager is missing here (package prometheus-alertmanager): alerts were not compared.');
    return;
  }
  const peer = await startAlertmanager(program, folder);
  try {
    const { path, key } = await createTarget(product, 'peer-alerts');
    const own = side(
      () => wholeTreeMicroseconds(product.pid) + wholeTreeMicroseconds(postgresPid),
      (number) => post(product.url + path, { authorization: `Bearer ${key}` }, payload(`peer ${number}`)),
    );
    const theirs = side(
      () => wholeTreeMicroseconds(peer.pid),
      (number) => post(`${peer.url}/api/v2/alerts`, {}, alert(number)),
    );
    const { own: cost, theirs: reference } = await inTurns(own, theirs, { rounds: isQuick ? 3 : 7, times: isQuick ? 500 : 2_000 });
    report.add('beside Alertmanager', { what: 'one new alert a body', peerCpuMs: reference?.cpu, productCpuMs: cost.cpu, ratio: cost.cpu / (reference?.cpu ?? 1) });
  } finally {
    await peer.stop();
  }
}
