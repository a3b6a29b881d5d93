import { beginning } from "@weft/contract/domains/monitoring/beginning.ts";
import { useState } from "react";
import { useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import type { Beginning } from "./beginning-card.tsx";
import type { Workplace } from "./workplace-texts.ts";

/** Steps tick while a user works on a device beside the screen. */
const every = 5_000;

const keyOf = (userId: number): string => `beginning.${userId}`;
const isPutAway = (userId: number): boolean => {
  try {
    return localStorage.getItem(keyOf(userId)) === "hidden";
  } catch {
    return false;
  }
};
const putAway = (userId: number, isHidden: boolean): void => {
  try {
    if (isHidden) localStorage.setItem(keyOf(userId), "hidden");
    else localStorage.removeItem(keyOf(userId));
  } catch {
    // Where nothing can be stored it lasts as long as the page.
  }
};

interface UsedBeginning {
  /** Null: the first site lives, and did when the page was opened. */
  readonly data: Beginning | null;
  readonly isHidden: boolean;
  readonly setHidden: (isHidden: boolean) => void;
}

/**
 * The way to a first living site: asked for while no link is up, and until the page is left once it is over.
 * @param counts undefined: not known yet
 */
export function useBeginning(counts: Workplace["counts"] | undefined): UsedBeginning {
  const { userId } = useSession();
  const [isHidden, setHidden] = useState(() => isPutAway(userId));
  const [wasOpen, setOpen] = useState(false);
  const isNeeded = wasOpen || counts?.linkUp === 0;
  const { data } = useCall(beginning, isNeeded ? {} : null, { every });
  const isOpen = data !== undefined && !data.done.includes("packet");
  if (isOpen && !wasOpen) setOpen(true);
  return {
    data: data && (isOpen || wasOpen) ? data : null,
    isHidden,
    setHidden: (next) => {
      putAway(userId, next);
      setHidden(next);
    },
  };
}
