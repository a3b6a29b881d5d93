import { type ReactNode, Suspense, useState } from "react";

interface Props {
  readonly open: boolean;
  /** A dialog or drawer made by React's `lazy`. */
  readonly children: ReactNode;
}

/**
 * A dialog or drawer whose files are fetched when it opens for the first time; from then on it stays,
 * so that it can close the way it opened. When the files do not come, the page says so in its place
 * (section 8), as it does for a screen.
 */
export function OpenedLater({ open, children }: Props) {
  const [isWanted, setWanted] = useState(open);
  // Set while rendering: the files are asked for by the very click that opens it.
  if (open && !isWanted) setWanted(true);
  return isWanted && <Suspense>{children}</Suspense>;
}
