import { paymentService } from "../../service/service.ts";
import type { Move } from "./happenings.ts";

export interface Machine {
  readonly name: string;
  readonly initial: string;
  readonly states: readonly string[];
  /** Every move that changes something, with its input, without duplicates. */
  readonly moves: readonly Required<Move>[];
  /** What happens when the clock sends it each of these inputs, worded to follow its name. */
  readonly whenDue: Readonly<Record<string, string>>;
}

/** The machines of the service, in the order in which its resources are declared. */
export const machines: readonly Machine[] = paymentService.resources.flatMap(({ lifecycles }) =>
  lifecycles.map(({ lifecycle: { name, machine, whenDue } }) => {
    const states = Object.values(machine.root.states);
    const moves = states.flatMap(({ key: from, transitions }) =>
      [...transitions].flatMap(([input, each]) =>
        each
          // An input that is ignored makes no move.
          .filter(({ target = [], actions }) => actions.length > 0 || target.some(({ key }) => key !== from))
          .flatMap(({ target = [{ key: from }] }) =>
            target.map(({ key: to }) => ({ resource: name, from, input, to })),
          ),
      ),
    );
    return {
      name,
      initial: machine.root.initial.target[0]?.key ?? "",
      states: states.map(({ key }) => key),
      moves: [...new Map(moves.map((move) => [JSON.stringify(move), move])).values()],
      whenDue,
    };
  }),
);
