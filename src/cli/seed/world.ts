import { Role } from '#kernel/access/roles.js';

/** A person of the demo data. */
export interface Person {
  readonly username: string;
  readonly name: string;
  readonly jobTitle: string;
  readonly external?: true;
}

/** A group of the demo data with its members and their roles. */
export interface DemoGroup {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly visibility: 'private' | 'internal' | 'public';
  /** The first owner creates it. */
  readonly owner: string;
  readonly members: Readonly<Record<string, Role>>;
  readonly subgroups: readonly Omit<DemoGroup, 'subgroups'>[];
}

/** A project of the demo data and how it is developed. */
export interface DemoProject {
  readonly group: string;
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly topics: readonly string[];
  /** Changes per working day. */
  readonly pace: number;
  /** Whether production gets tagged releases instead of every change of main. */
  readonly tagged: boolean;
  /** Whether branches get review environments. */
  readonly reviewed: boolean;
}

/** Domain of all addresses. It is reserved, so no email is ever delivered. */
export const DEMO_DOMAIN = 'orchard.example';

/** The person for whom a token is created. */
export const GUIDE = 'maya.lind';

/** All people. */
export const people: readonly Person[] = [
  { username: 'maya.lind', name: 'Maya Lind', jobTitle: 'Head of shop' },
  { username: 'tomas.varga', name: 'Tomas Varga', jobTitle: 'Platform lead' },
  { username: 'ines.duarte', name: 'Ines Duarte', jobTitle: 'Data lead' },
  { username: 'ravi.menon', name: 'Ravi Menon', jobTitle: 'Release engineer' },
  { username: 'lena.brandt', name: 'Lena Brandt', jobTitle: 'Developer' },
  { username: 'oskar.holm', name: 'Oskar Holm', jobTitle: 'Developer' },
  { username: 'noor.aziz', name: 'Noor Aziz', jobTitle: 'Product manager' },
  { username: 'sam.porter', name: 'Sam Porter', jobTitle: 'Contractor', external: true },
];

/** Three teams. */
export const groups: readonly DemoGroup[] = [
  {
    path: 'orchard-shop',
    name: 'Orchard Shop',
    description: 'Everything that customers see (demonstration)',
    visibility: 'public',
    owner: 'maya.lind',
    members: {
      'ravi.menon': Role.Maintainer,
      'lena.brandt': Role.Developer,
      'oskar.holm': Role.Developer,
      'noor.aziz': Role.Reporter,
    },
    subgroups: [
      subgroup('web', 'Web', 'public', 'maya.lind'),
      subgroup('mobile', 'Mobile', 'internal', 'maya.lind', { 'sam.porter': Role.Developer }),
    ],
  },
  {
    path: 'orchard-platform',
    name: 'Orchard Platform',
    description: 'Services and machines below the shop (demonstration)',
    visibility: 'private',
    owner: 'tomas.varga',
    members: {
      'maya.lind': Role.Maintainer,
      'ravi.menon': Role.Maintainer,
      'oskar.holm': Role.Developer,
      'noor.aziz': Role.Guest,
    },
    subgroups: [
      subgroup('services', 'Services', 'private', 'tomas.varga', { 'lena.brandt': Role.Reporter }),
      subgroup('infrastructure', 'Infrastructure', 'private', 'tomas.varga'),
    ],
  },
  {
    path: 'orchard-data',
    name: 'Orchard Data',
    description: 'Numbers and how they come about (demonstration)',
    visibility: 'internal',
    owner: 'ines.duarte',
    members: {
      'maya.lind': Role.Owner,
      'ravi.menon': Role.Developer,
      'noor.aziz': Role.Reporter,
      'lena.brandt': Role.Guest,
    },
    subgroups: [
      subgroup('pipelines', 'Pipelines', 'internal', 'ines.duarte'),
      subgroup('reports', 'Reports', 'internal', 'ines.duarte', { 'noor.aziz': Role.Developer }),
    ],
  },
];

function subgroup(
  path: string,
  name: string,
  visibility: DemoGroup['visibility'],
  owner: string,
  members: DemoGroup['members'] = {},
): Omit<DemoGroup, 'subgroups'> {
  return { path, name, description: `${name} (demonstration)`, visibility, owner, members };
}

const project = (
  group: string,
  path: string,
  name: string,
  description: string,
  topics: readonly string[],
  [pace, tagged, reviewed]: readonly [pace: number, tagged: boolean, reviewed: boolean],
): DemoProject => ({ group, path, name, description, topics, pace, tagged, reviewed });

const templates: readonly DemoProject[] = [
  project('orchard-shop/web', 'storefront', 'Storefront', 'The shop itself', ['web'], [2.2, false, true]),
  project(
    'orchard-platform/services',
    'accounts',
    'Accounts',
    'Sign-in and profiles',
    ['go'],
    [1.1, true, true],
  ),
  project(
    'orchard-data/pipelines',
    'collector',
    'Collector',
    'Takes in events',
    ['kafka'],
    [0.7, false, false],
  ),
  project(
    'orchard-shop/web',
    'checkout',
    'Checkout',
    'From basket to receipt',
    ['web', 'pci'],
    [1.4, true, true],
  ),
  project(
    'orchard-platform/services',
    'billing',
    'Billing',
    'Invoices and refunds',
    ['pci'],
    [0.8, true, false],
  ),
  project(
    'orchard-shop/mobile',
    'app-backend',
    'App Backend',
    'API of the apps',
    ['api'],
    [1.2, false, true],
  ),
  project('orchard-platform/services', 'search', 'Search', 'Finds products', ['search'], [0.9, false, true]),
  project(
    'orchard-platform/infrastructure',
    'edge-proxy',
    'Edge Proxy',
    'First hop',
    ['nginx'],
    [0.3, true, false],
  ),
  project(
    'orchard-data/reports',
    'daily-reports',
    'Daily Reports',
    'Figures by mail',
    ['sql'],
    [0.4, false, false],
  ),
  project(
    'orchard-shop/mobile',
    'push-gateway',
    'Push Gateway',
    'Messages to phones',
    ['api'],
    [0.5, true, false],
  ),
  project(
    'orchard-platform/services',
    'notifications',
    'Notifications',
    'Mail and chat',
    [],
    [0.6, false, true],
  ),
  project(
    'orchard-platform/infrastructure',
    'clusters',
    'Clusters',
    'What runs where',
    ['k8s'],
    [0.5, false, false],
  ),
];

/** Returns the given number of projects; those beyond the dozen with names of their own are numbered. */
export function demoProjects(count: number): DemoProject[] {
  return Array.from({ length: count }, (_, index) => {
    const template = templates[index % templates.length] as DemoProject;
    const round = Math.floor(index / templates.length) + 1;
    if (round === 1) return template;
    return { ...template, path: `${template.path}-${round}`, name: `${template.name} ${round}` };
  });
}
