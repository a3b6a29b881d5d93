import { useState } from "react";
import { changeDisplay, useDisplay } from "#client/display.ts";
import { layoutStyles } from "#client/kept-display.ts";
import { compactWidth, useNarrow } from "#ui/use-narrow.ts";

export interface ShellLayout {
  /** Where the menu is: at the left, in the header, or both (section 2.5); narrow: at the left. */
  readonly kind: (typeof layoutStyles)[number];
  /** Over the page instead of beside it: below 768 px. */
  readonly isOverlay: boolean;
  /** Folded to its icons. */
  readonly isFolded: boolean;
  /** The overlay is open. */
  readonly isOpen: boolean;
  setOpen(isOpen: boolean): void;
  /** What the menu button does. */
  toggle(): void;
}

/** Menu beside, over, or folded: by the width of the window and what the person chose. */
export const useLayout = (): ShellLayout => {
  const isOverlay = useNarrow();
  const isCompact = useNarrow(compactWidth);
  const { collapse, layoutStyle } = useDisplay();
  const [isOpen, setOpen] = useState(false);
  // What was selected on a wide screen says nothing about a compact one.
  const [isUnfolded, setUnfolded] = useState(false);
  const isFolded = isCompact ? !isUnfolded : collapse;
  const toggle = (): void => {
    if (isOverlay) setOpen(!isOpen);
    else if (isCompact) setUnfolded(!isUnfolded);
    // Neither colour nor mode: nothing is fetched, nothing can fail.
    else void changeDisplay({ collapse: !collapse });
  };
  return {
    kind: isOverlay ? "side" : (layoutStyles[layoutStyle] ?? "side"),
    isOverlay,
    isFolded: isFolded && !isOverlay,
    isOpen,
    setOpen,
    toggle,
  };
};
