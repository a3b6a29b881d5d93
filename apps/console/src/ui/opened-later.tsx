import { type ReactNode, Suspense, useState } from "react";

interface Props {
  readonly open: boolean;
  /** A dialog or drawer created with React's `lazy`. */
  readonly children: ReactNode;
}

/**
 * A dialog or drawer whose files are loaded when it is opened for the first time; afterwards it stays mounted,
 * so that it closes with an animation. If the files cannot be loaded, the page says so in its place
 * (section 8), as it does for a page.
 */
export function OpenedLater({ open, children }: Props) {
  const [isWanted, setWanted] = useState(open);
  // Set during rendering: the click that opens it requests the files.
  if (open && !isWanted) setWanted(true);
  return isWanted && <Suspense>{children}</Suspense>;
}
