interface EndedState {
  readonly outcome: string;
}

/**
 * True for a newest state that ended badly: it is not sent again without an operator's command, but for
 * the one automatic retry of a state rolled back without a commit confirmation (design section 3.6).
 */
export const isBlocked = ({ outcome }: EndedState): boolean =>
  outcome === "refused" || outcome === "failed" || outcome === "reverted";
