import type { GitBench } from '../git.js';
import type { Report } from '../report.js';
import { startProduct } from '../servers.js';
import { measureAlertPeer } from './alertmanager.js';
import { measureGitPeer } from './git.js';
import { measureOauthPeer } from './oauth.js';

/**
 * The product compared with common alternatives: CPU milliseconds per request of all processes with their
 * children and database, and the ratio of product to peer.
 */
export async function measurePeers(report: Report, bench: GitBench): Promise<void> {
  const product = await startProduct({
    DATA_DIR: bench.folder,
    DATABASE_URL: bench.databaseUrl,
    SECRETS_KEY: 'a key of the benchmark that is long enough',
    LOG_LEVEL: 'info',
  });
  try {
    await measureOauthPeer(report, bench, product);
    await measureGitPeer(report, bench, product);
    await measureAlertPeer(report, bench, product);
  } finally {
    await product.stop();
  }
}
