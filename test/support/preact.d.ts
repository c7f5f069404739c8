// Stands for the types of Preact, which `@auth/core` names: the real ones bring those of browsers, for all sources.
export type ComponentChildren = unknown;
export type VNode = unknown;
export type JSX = never;
