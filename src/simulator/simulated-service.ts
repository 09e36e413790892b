import type { Used } from "../kit/assumptions/assumptions.ts";
import type { Connections } from "../kit/receivers/connections.ts";
import type { ActTable } from "../kit/declaration/act.ts";
import type { AnyResource, DeclaredLifecycle, DeclaredWords } from "../kit/declaration/resource.ts";
import type { DefinedService } from "../kit/declaration/define-service.ts";
import type { Pace } from "../kit/http/pace.ts";
import { everyActOn } from "./acts.ts";
import type { KitParts } from "./acts.ts";
import type { Settings } from "./simulator-options.ts";
import { openWorld } from "./world.ts";
import type { World } from "./world.ts";

/** A world of any service, as far as a simulator uses it. */
export interface SimulatedWorld extends KitParts {
  readonly assumptions: { used(): Used<string>[] };
}

/** A service that can be simulated. Its acts and `begin` get a world that its own `open` has opened. */
export interface SimulatedService {
  /** Every act of a test on it, including those of the kit. */
  readonly acts: ActTable<never>;
  /** The types of event that it announces. */
  readonly eventTypes: readonly string[];
  /** Opens a world of the service, without beginning it. */
  readonly open: (settings: Settings, connections: Connections, pace: Pace) => SimulatedWorld;
  /** The machines of its rows, with the words that merchants read for their states. */
  readonly lifecycles: readonly DeclaredLifecycle[];
  /** Writes the first rows of a new world. */
  readonly begin: (parts: never, settings: Settings) => void;
}

/** Makes a declared service one that can be simulated. */
export function simulatedServiceOf<Words extends DeclaredWords, const Resources extends readonly AnyResource<Words>[]>(
  service: DefinedService<Words, Resources>,
) {
  return {
    acts: everyActOn(service),
    eventTypes: service.eventTypes,
    redaction: service.redaction,
    lifecycles: service.resources.flatMap(({ lifecycles }) => lifecycles),
    open: (settings: Settings, connections: Connections, pace: Pace): World<Words> =>
      openWorld(service, { ...settings, connections, pace }),
    begin({ engine, of }: Pick<World<Words>, "engine" | "of">, { webhookUrl, credentials }: Settings): void {
      engine.unit(() => service.begin(of, { webhookUrl, credentials }));
    },
  };
}
