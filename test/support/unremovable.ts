import { execFileSync } from 'node:child_process';

/** Folders below one another, whose path is longer than a path may be. */
const NEST = `name=$(printf 'd%.0s' $(seq 200)); for step in $(seq 25); do mkdir -p "$name" && cd -P "$name" || exit 1; done`;

/** Makes a folder that no program removes by its path, not even for root, until `removeUnremovable`. */
export function makeUnremovable(path: string): void {
  execFileSync('sh', ['-c', `mkdir -p "$0" && cd "$0" && ${NEST}`, path]);
}

/** Removes such a folder step by step. */
export function removeUnremovable(path: string): void {
  execFileSync('rm', ['-rf', path]);
}
