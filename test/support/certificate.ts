import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether this machine can create a certificate. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A self-signed certificate for 127.0.0.1, for one test. */
export class TestCertificate {
  private readonly folder = mkdtempSync(join(tmpdir(), 'forgeplane-certificate-'));
  readonly key = join(this.folder, 'key.pem');
  readonly certificate = join(this.folder, 'certificate.pem');

  constructor() {
    const kind = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
    const whom = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', this.key, '-out', this.certificate];
    const made = spawnSync('openssl', ['req', ...kind.split(' '), ...whom, ...files], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(made.stderr);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
