/** A gate of a feature flag: what enables it, and for which users. */
export interface FeatureGate {
  readonly key: 'boolean' | 'percentage_of_time' | 'percentage_of_actors' | 'actors' | 'groups';
  readonly value: boolean | number | readonly string[];
}

/** The gates of a flag; the boolean gate always exists, others only if they let someone in. */
export type FeatureGates = readonly FeatureGate[];

const closed: FeatureGate = { key: 'boolean', value: false };

/** Returns whether any gate lets the request in. Actors are named like `Project:1`, groups by name. */
export function isOpen(flag: string, gates: FeatureGates, actors: readonly string[]): boolean {
  return gates.some(({ key, value }) => {
    if (key === 'boolean') return value === true;
    if (key === 'percentage_of_time') return Math.random() * 100 < Number(value);
    if (key === 'percentage_of_actors') return actors.some((actor) => bucketOf(flag, actor) < Number(value));
    return Array.isArray(value) && actors.some((actor) => value.includes(actor));
  });
}

/** Returns the resulting state of a flag. */
export function stateOf(gates: FeatureGates): 'on' | 'off' | 'conditional' {
  const isOn = ({ key, value }: FeatureGate): boolean =>
    value === true || (key === 'percentage_of_time' && value === 100);
  if (gates.some(isOn)) return 'on';
  return gates.some(({ key }) => key !== 'boolean') ? 'conditional' : 'off';
}

/** Returns gates that enable or disable the flag for everyone. */
export const withBoolean = (value: boolean): FeatureGates => [{ key: 'boolean', value }];

/** Returns gates with a percentage of calls or actors; 0 closes the gate. */
export function withPercentage(
  gates: FeatureGates,
  key: 'percentage_of_time' | 'percentage_of_actors',
  percent: number,
): FeatureGates {
  return replace(gates, key, percent === 0 ? null : percent);
}

/** Returns gates with some actors or groups added or removed. */
export function withMembers(
  gates: FeatureGates,
  key: 'actors' | 'groups',
  names: readonly string[],
  isIn: boolean,
): FeatureGates {
  const present = gates.find((gate) => gate.key === key)?.value;
  const members = new Set<string>(Array.isArray(present) ? (present as string[]) : []);
  for (const name of names) {
    if (isIn) members.add(name);
    else members.delete(name);
  }
  return replace(gates, key, members.size === 0 ? null : [...members].sort());
}

function replace(
  gates: FeatureGates,
  key: FeatureGate['key'],
  value: FeatureGate['value'] | null,
): FeatureGates {
  const boolean = gates.find((gate) => gate.key === 'boolean') ?? closed;
  const others = gates.filter((gate) => gate.key !== key && gate.key !== 'boolean');
  return [boolean, ...others, ...(value === null ? [] : [{ key, value }])];
}

/** Returns a number below 100 that is constant for a flag and an actor. */
function bucketOf(flag: string, actor: string): number {
  let hash = 0;
  for (const char of `${flag}:${actor}`) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) | 0;
  return (Math.abs(hash) % 10_000) / 100;
}
