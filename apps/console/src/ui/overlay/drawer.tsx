import LibraryDrawer, { type DrawerProps } from "antd/es/drawer";
import { useFocusReturn } from "./use-focus-return.ts";

/** A drawer of the library that gives the focus back to where it was. */
export function Drawer(props: DrawerProps) {
  const leaving = useFocusReturn(props.open ?? false);
  return (
    <LibraryDrawer
      {...props}
      rootClassName={`${props.rootClassName ?? ""} ${leaving}`.trim()}
      focusable={{ ...props.focusable, focusTriggerAfterClose: false }}
    />
  );
}
