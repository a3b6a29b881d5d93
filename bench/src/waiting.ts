/**
 * What a run waits for at this moment. A bench is silent for minutes while it seeds rows or starts a fleet: each step is
 * named when it begins, and a run that is broken off says in which it was.
 */

interface Step {
  readonly what: string;
  /** Monotonic ms. */
  readonly since: number;
}

/** The steps that are under way, the outer ones first. */
const underWay = new Set<Step>();

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Does the work, and says on the error output that it began. */
export async function waitingFor<T>(what: string, work: () => Promise<T>): Promise<T> {
  const step: Step = { what, since: performance.now() };
  underWay.add(step);
  console.error(`${seconds(step.since)}: ${what}`);
  try {
    return await work();
  } finally {
    underWay.delete(step);
  }
}

/** What is under way, with how long it has taken so far: "seeds 100,000 CPEs (for 92.1 s)". */
export const waits = (): string =>
  [...underWay]
    .map(({ what, since }) => `${what} (for ${seconds(performance.now() - since)})`)
    .join(", ") || "nothing";

/**
 * Ends a wait that would have no end.
 * @throws Error that names what did not come within `limitMs`
 */
export async function within<T>(what: string, limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${seconds(limitMs)}: ${what}`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
