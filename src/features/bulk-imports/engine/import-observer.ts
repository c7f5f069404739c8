/** Told whenever a run has committed something. It does nothing; tests let runs die there. */
export class ImportObserver {
  committed(_relationId: number): Promise<void> | void {
    return undefined;
  }
}
