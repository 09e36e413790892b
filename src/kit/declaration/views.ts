import type { Joined } from "./act.ts";
import type { Of } from "./resource.ts";

/** A resource with the members that its readers need. */
interface WithView {
  readonly open: (ground: never, of: Of) => unknown;
  readonly view: (commands: never, ground: never) => object;
}

/** Returns what opens every reader that resources declare, on a world of them. */
export function readersIn<const Resources extends readonly WithView[]>(resources: Resources) {
  return (world: { readonly of: Of }): Joined<ReturnType<Resources[number]["view"]>> =>
    Object.fromEntries(
      resources.flatMap((resource) => Object.entries(resource.view(world.of(resource) as never, world as never))),
    ) as never;
}
