interface EndedState {
  readonly outcome: string;
  readonly no_echo: boolean;
  readonly retries: number;
}

/** True for a newest state that is not sent again without an operator's word (design 3.6). */
export function isBlocked({ outcome, no_echo, retries }: EndedState): boolean {
  if (outcome === "refused" || outcome === "failed") return true;
  return outcome === "reverted" && !(no_echo && retries === 0);
}

/** True for a newest state that an operator may have sent once more now. */
export const canRetry = ({ outcome }: Pick<EndedState, "outcome">): boolean =>
  outcome === "refused" || outcome === "failed" || outcome === "reverted";
