import { type ComponentProps, lazy } from "react";
import { OpenedLater } from "#ui/opened-later.tsx";

// With the form of its e-mail: lists and pages of nodes do not wait for it.
const Dialog = lazy(async () => ({ default: (await import("./claim-dialog.tsx")).ClaimDialog }));

/** The dialog of an activation code, fetched when it is opened. */
export function ClaimDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <OpenedLater open={props.node !== null}>
      <Dialog {...props} />
    </OpenedLater>
  );
}
