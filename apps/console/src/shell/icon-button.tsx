import type { ReactNode } from "react";

interface Props {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A tool of the header: an icon with a name. */
export function IconButton({ label, onClick, children }: Props) {
  return (
    <button
      type="button"
      className="w-icon-button"
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
