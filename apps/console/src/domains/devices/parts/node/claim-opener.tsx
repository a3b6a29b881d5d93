import type { ComponentProps } from "react";
import { later, OpenedLater } from "#feedback/later.tsx";

// With the form of its e-mail: lists and pages of nodes do not wait for it.
const Dialog = later(async () => (await import("./claim-dialog.tsx")).ClaimDialog);

/** The dialog of an activation code, fetched when it is opened. */
export function ClaimDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <OpenedLater open={props.node !== null} onClose={props.onClose}>
      <Dialog {...props} />
    </OpenedLater>
  );
}
