/**
 * How every ratio is taken: yardstick and subject run in turn on the same machine in the same run,
 * and the ratio is the median of the rounds' own ratios. A machine that got slower half-way slows
 * both; one that jumps about makes the run void.
 */

/** Rounds of a run, by default. */
export const defaultRounds = 5;
/** A yardstick that strays further than this from its median says that the machine was not quiet. */
const maxDrift = 0.2;

/** One round: what yardstick and subject gave, in the same unit. */
export interface Round {
  readonly yardstick: number;
  readonly subject: number;
}

export interface Summary {
  /** Medians over the rounds. */
  readonly yardstick: number;
  readonly subject: number;
  /** Median of subject / yardstick, round by round. */
  readonly ratio: number;
  /** Least and greatest ratio of a round. */
  readonly spread: readonly [least: number, most: number];
  /** Greatest distance of a round's yardstick from the median, as a share of it. */
  readonly drift: number;
  /** True: the yardstick moved too much for the ratio to say anything. */
  readonly isVoid: boolean;
}

/** @throws RangeError when there are no values */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError("no values, no median");
  return (lower + upper) / 2;
}

/** The value that this share of all does not exceed (nearest rank); 0.95 for the 95th percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (found === undefined) throw new RangeError("no values, no percentile");
  return found;
}

/** @throws RangeError when there are no rounds, or a yardstick is not above zero */
export function summarise(rounds: readonly Round[]): Summary {
  if (rounds.some(({ yardstick }) => !(yardstick > 0))) {
    throw new RangeError("a yardstick of zero measures nothing");
  }
  const ratios = rounds.map(({ yardstick, subject }) => subject / yardstick);
  const yardstick = median(rounds.map((round) => round.yardstick));
  const drift = Math.max(
    ...rounds.map((round) => Math.abs(round.yardstick - yardstick) / yardstick),
  );
  return {
    yardstick,
    subject: median(rounds.map(({ subject }) => subject)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    drift,
    isVoid: drift > maxDrift,
  };
}

/** Runs yardstick and subject in turn; who goes first changes, so that neither always finds warm caches. */
export async function alternate(
  yardstick: () => Promise<number>,
  subject: () => Promise<number>,
  rounds = defaultRounds,
): Promise<Round[]> {
  const all: Round[] = [];
  for (let at = 0; at < rounds; at++) {
    if (at % 2 === 0) {
      const first = await yardstick();
      all.push({ yardstick: first, subject: await subject() });
    } else {
      const first = await subject();
      all.push({ yardstick: await yardstick(), subject: first });
    }
  }
  return all;
}
