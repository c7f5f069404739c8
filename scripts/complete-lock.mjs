// Adds lock entries for optional platform packages that the registry mirror of this machine does not offer.
// node complete-lock.mjs <folder>
import { readFileSync, writeFileSync } from 'node:fs';
const file = `${process.argv[2] ?? '.'}/package-lock.json`;
const lock = JSON.parse(readFileSync(file, 'utf8'));
const P = lock.packages;
const OS = { darwin: 'darwin', linux: 'linux', win32: 'win32', windows: 'win32', android: 'android', freebsd: 'freebsd', openharmony: 'openharmony', sunos: 'sunos', netbsd: 'netbsd', openbsd: 'openbsd', aix: 'aix' };
const CPU = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32', 'mips64el'];
const added = [];
for (const [path, pkg] of Object.entries(P)) {
  for (const [name, range] of Object.entries(pkg.optionalDependencies ?? {})) {
    let at = path, found = false;
    for (;;) {
      if (P[`${at ? at + '/' : ''}node_modules/${name}`]) { found = true; break; }
      if (!at) break;
      const i = at.lastIndexOf('/node_modules/');
      at = i < 0 ? '' : at.slice(0, i);
    }
    if (found) continue;
    const version = /^[\^~]?(\d+\.\d+\.\d+\S*)$/.exec(range)?.[1];
    if (!version) { console.log('CANNOT', path, name, range); continue; }
    const parts = name.split('/').pop().split('-');
    const os = parts.map((p) => OS[p]).find(Boolean);
    const cpu = CPU.find((c) => parts.includes(c)) ?? (parts.includes('universal') ? undefined : undefined);
    const libc = parts.includes('gnu') ? 'glibc' : parts.includes('musl') || parts.includes('musleabihf') ? 'musl' : undefined;
    const entry = { version, ...(cpu ? { cpu: [cpu] } : {}), ...(pkg.dev ? { dev: true } : {}), ...(libc && os === 'linux' ? { libc: [libc] } : {}), optional: true, ...(os ? { os: [os] } : {}) };
    P[`node_modules/${name}`] = entry;
    added.push(`${name}@${version} ${JSON.stringify(entry)}  <- ${path} ${range}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(P).sort(([a], [b]) => a.localeCompare(b, 'en')));
writeFileSync(file, JSON.stringify(lock, null, 2) + '\n');
console.log(added.length); console.log(added.filter(a=>!/"os"/.test(a)||!/"cpu"/.test(a)).join('\n'));
