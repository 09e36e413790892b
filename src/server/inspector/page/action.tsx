import { useState } from "preact/hooks";

/** Something that a reader does, and what became of it. */
export interface Action {
  /** Does it. What it returns is shown where it was done. */
  readonly begin: (work: () => Promise<Outcome>) => void;
  readonly isBusy: boolean;
  readonly outcome: Outcome;
}

export interface Outcome {
  /** The sentence with which the server refuses. */
  readonly problem?: string | undefined;
  /** What has happened. */
  readonly said?: string | undefined;
}

/** Keeps what became of an action beside its button. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>({});
  const begin = (work: () => Promise<Outcome>): void => {
    if (isBusy) return;
    setBusy(true);
    setOutcome({});
    void finish(work);
  };
  const finish = async (work: () => Promise<Outcome>): Promise<void> => {
    const done = await work();
    setBusy(false);
    setOutcome(done);
  };
  return { begin, isBusy, outcome };
}

/** What became of an action. */
export function Said({ of: { outcome, isBusy } }: { readonly of: Action }) {
  const { problem, said } = outcome;
  return (
    <div class="said" aria-live="polite">
      {isBusy && <p class="hint">Working …</p>}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {said !== undefined && <p class="hint">{said}</p>}
    </div>
  );
}
