// node scripts/sbom.mjs [--omit=optional]: writes the bill of materials of the image to standard output (CycloneDX). npm makes it of package-lock.json;
// what stays of it is what the image holds: packages in node_modules, those that dist/app has joined, whatever package.json calls them, and Node.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { joinedPackages, neededPackages } from './image.mjs';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));

const { packages, name, version } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const held = new Set(
  [...neededPackages(process.argv.includes('--omit=optional')), ...joinedPackages()].map(
    (path) => `${packages[path].name ?? path.replace(/^.*node_modules\//, '')}@${packages[path].version}`,
  ),
);
const bill = JSON.parse(
  execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  }),
);
const found = bill.components.filter((component) => held.has(component['bom-ref']));
if (found.length < held.size) {
  const missing = [...held].filter((ref) => !found.some((component) => component['bom-ref'] === ref));
  throw new Error(`npm sbom does not list ${missing.join(', ')}`);
}
const node = process.versions.node;
const refs = new Set([...held, `${name}@${version}`]);
// It is called after the folder that this runs in.
Object.assign(bill.metadata.component, { name, type: 'application' });
bill.metadata.lifecycles = [{ phase: 'build' }];
bill.components = [
  ...found.map(({ properties: _ownWords, ...component }) => ({ ...component, scope: 'required' })),
  {
    'bom-ref': `node@${node}`,
    type: 'platform',
    name: 'node',
    version: node,
    scope: 'required',
    purl: `pkg:generic/node@${node}`,
    licenses: [{ license: { id: 'MIT' } }],
  },
];
bill.dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
process.stdout.write(`${JSON.stringify(bill, null, 1)}\n`);
