import { later, OpenedLater } from "#feedback/later.tsx";
import type { DifferenceProps } from "./difference-drawer.tsx";

const DifferenceDrawer = later(
  async () => (await import("./difference-drawer.tsx")).DifferenceDrawer,
);

/** The drawer with what lies between two states; its files are loaded when it is opened. */
export function StateDifference(props: DifferenceProps) {
  return (
    <OpenedLater open={props.pair !== null} onClose={props.onClose}>
      <DifferenceDrawer {...props} />
    </OpenedLater>
  );
}
