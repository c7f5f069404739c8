import { MAX_DEPTH } from '../children/epic-tree.service.js';

/** An epic in its tree. */
export interface ForestNode {
  readonly id: number;
  readonly parentId: number | null;
  readonly confidential: boolean;
  readonly title: string;
}

/** Trees of epics during an import, by the rules of `EpicTreeService`. Without I/O. */
export class EpicForest {
  private readonly nodes = new Map<number, ForestNode>();
  private readonly children = new Map<number, number[]>();

  constructor(nodes: readonly ForestNode[]) {
    for (const node of nodes) this.place(node);
  }

  /** Returns the title of an epic. */
  titleOf(id: number): string | null {
    return this.nodes.get(id)?.title ?? null;
  }

  /** Sets the parent of an epic without one; returns why it cannot. */
  put(id: number, parentId: number): string | null {
    const node = this.nodes.get(id);
    const parent = this.nodes.get(parentId);
    if (!node || !parent || node.parentId !== null) return 'already has a parent';
    const above = this.above(parentId);
    if (above.includes(id)) return 'is itself below this epic';
    if (parent.confidential && !node.confidential) return 'is confidential, which this epic is not';
    if (above.length + this.height(id) > MAX_DEPTH)
      return `has too many epics above it (maximum ${MAX_DEPTH})`;
    this.place({ ...node, parentId });
    return null;
  }

  private place(node: ForestNode): void {
    this.nodes.set(node.id, node);
    if (node.parentId === null) return;
    const siblings = this.children.get(node.parentId);
    if (siblings) siblings.push(node.id);
    else this.children.set(node.parentId, [node.id]);
  }

  /** Returns an epic and its ancestors; stored trees have no cycles, and none are added. */
  private above(id: number): readonly number[] {
    const ids: number[] = [];
    for (let at: number | null = id; at !== null; at = this.nodes.get(at)?.parentId ?? null) ids.push(at);
    return ids;
  }

  private height(id: number): number {
    const below = this.children.get(id) ?? [];
    return 1 + below.reduce((most, child) => Math.max(most, this.height(child)), 0);
  }
}
