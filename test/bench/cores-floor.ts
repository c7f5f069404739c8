// The reference in cluster mode. Arguments: database URL, processes, port.
import cluster from 'node:cluster';
import { fileURLToPath } from 'node:url';

const [databaseUrl = '', processes = '1', port = ''] = process.argv.slice(2);
cluster.setupPrimary({ exec: fileURLToPath(new URL('./floor.js', import.meta.url)), args: [databaseUrl, port] });
for (let count = 0; count < Number(processes); count += 1) cluster.fork();
process.once('SIGTERM', () => process.exit());
