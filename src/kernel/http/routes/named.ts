/** Gives the class of a made controller its name: routes are known by it. */
export function named<C extends object>(controller: C, name: string): C {
  return Object.defineProperty(controller, 'name', { value: name });
}
