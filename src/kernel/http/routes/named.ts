/** Sets the name of a generated controller class, by which its routes are identified. */
export function named<C extends object>(controller: C, name: string): C {
  return Object.defineProperty(controller, 'name', { value: name });
}
